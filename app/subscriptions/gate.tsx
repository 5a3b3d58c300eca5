const stripes = [0, 1, 2, 3, 4, 5];

/** The barrier on the road to the job-board area: raised for subscribers, down for everybody else. */
export function Gate({ isOpen }: { isOpen: boolean }) {
  return (
    <svg
      className="drawing gate"
      viewBox={isOpen ? "0 -34 200 148" : "0 22 200 92"}
      aria-hidden="true"
    >
      <path
        className="d-faint"
        d="M4 84c26-12 44 6 70-2s42-20 66-14 34 14 56 8M4 72c24-12 46 2 68-4s44-24 68-18 36 12 56 6M120 40c12-10 34-12 48-4"
      />
      <path
        className="d-route"
        d={isOpen ? "M78 112c14-8 26-18 36-34s38-26 72-34" : "M78 112c14-8 26-18 34-30"}
      />
      <path
        className="d-mark"
        d={isOpen ? "m186 42-7-14a8 8 0 1 1 14 0z" : "M114 74a5 5 0 1 1-.1 0z"}
      />
      <g transform={isOpen ? "rotate(-42 50 58)" : undefined}>
        <rect className="gate-arm" x="50" y="54" width="132" height="9" />
        {stripes.map((stripe) => (
          <rect
            key={stripe}
            className="gate-stripe"
            x={50 + stripe * 22}
            y="54"
            width="11"
            height="9"
          />
        ))}
        <path className="d-fill" d="M30 50h20v17H30z" />
        <path d="M30 50h20v17H30z" />
      </g>
      <path className="d-fill" d="M44 44h12v62H44z" />
      <path d="M44 44h12v62H44zM34 106h32" />
      {!isOpen && <path d="M176 63v43M168 106h16" />}
      <circle className="d-fill" cx="50" cy="58" r="4" />
      <circle cx="50" cy="58" r="4" />
    </svg>
  );
}
