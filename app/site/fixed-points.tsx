/**
 * The drawing of the about page, over the same survey as the home page's map: whoever sees three
 * known stations can tell where they stand. The angles are those of the triangle as it is drawn.
 */
export function FixedPoints() {
  return (
    <figure className="fix-map">
      <div className="fix-map-sheet">
        <div className="fix-map-contours" />
        <svg
          viewBox="0 0 1600 760"
          role="img"
          aria-label="A surveyor's triangle of three stations, Transparency, Community and Growth. Sight lines from all three meet where you are."
        >
          <path
            className="f-far"
            d="M720 105 430-20M720 105 380 270M1335 208l330-190M1335 208l330 170M860 690 560 800M860 690l400 130M720 105l560-150"
          />
          <path className="f-area" d="M720 105 1335 208 860 690z" />
          <path className="f-side" d="M720 105 1335 208 860 690z" />
          <path
            className="f-arc"
            d="M809 120A90 90 0 0 1 741 193M1258 286A110 110 0 0 1 1227 190M837 593A100 100 0 0 1 930 619"
          />
          <path className="f-sight" d="M720 105 985 340M1335 208 985 340M860 690 985 340" />
          <g className="f-angles">
            <text x="846" y="166" textAnchor="middle">
              67°02′
            </text>
            <text x="1190" y="230" textAnchor="end">
              54°56′
            </text>
            <text x="938" y="582" textAnchor="middle">
              58°02′
            </text>
          </g>
          <Station x={720} y={105} />
          <Station x={1335} y={208} />
          <Station x={860} y={690} />
          <circle className="f-fix" cx="985" cy="340" r="20" />
          <circle className="f-here" cx="985" cy="340" r="9" />
          <g className="f-words">
            <text x="720" y="62" textAnchor="middle" className="f-transparency">
              Transparency
            </text>
            <text x="1335" y="164" textAnchor="middle" className="f-community">
              Community
            </text>
            <text x="902" y="706">
              Growth
            </text>
            <text x="1018" y="358" className="f-you">
              You are here
            </text>
          </g>
        </svg>
      </div>
    </figure>
  );
}

function Station({ x, y }: { x: number; y: number }) {
  return (
    <g className="f-station" transform={`translate(${x} ${y})`}>
      <path d="M0-22 23 18h-46z" />
      <circle cy="4" r="4.5" />
    </g>
  );
}
