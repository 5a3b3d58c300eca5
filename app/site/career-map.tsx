/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an inline drawing has no tag of its own */
/**
 * The map on the home page: from "You are here", by way of a review and a real person, to the offer.
 * The contour lines come from the same survey (ui/contours.svg); both are cut to the same box.
 */
export function CareerMap() {
  return (
    <figure className="career-map">
      <svg viewBox="0 0 1600 760" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
        <path
          className="m-upland"
          d="M1198 98q28-8 35-9q7-2 12-1q5 0 20 2q15 3 30 7q15 5 30 12q15 7 40 13q25 5 35 9q10 4 50 24q40 19 58 27q18 8 27 13q9 5 15 10q6 5 20 20q14 15 20 25q5 10 8 20q2 10 2 13q0 3 0 5q0 2-4 7q-3 5-5 6q-1 1-6 3q-5 1-10 1q-5 0-15-2q-10-2-20-2q-10 0-20 2q-10 2-35 9q-25 6-35 9q-10 2-35 6q-25 4-35 4q-10 0-30-2q-20-3-40-1q-20 2-35 6q-15 4-20 4q-5 0-10-1q-5-1-10-3q-5-2-15-7q-10-6-20-9q-10-4-30-7q-20-4-33-7q-13-4-22-9q-9-5-11-10q-2-5-1-10q0-5 6-30q5-25 11-40q5-15 13-27q7-12 11-20q3-8 7-23q5-15 7-18q2-3 7-7q5-3 33-12zM985 292q4-2 20-5q15-3 25-4q10-1 15-1q5 0 10 2q5 2 9 4q4 2 6 7q3 5 3 10q0 5-6 25q-6 20-8 25q-3 5-6 8q-3 3-8 6q-5 3-10 4q-5 1-15 1q-10-1-15-2q-5-2-10-5q-5-3-10-6q-5-4-8-8q-2-3-5-8q-3-5-4-10q-2-5-2-10q-1-5 0-10q0-5 3-10q2-5 7-8q4-3 9-5z"
        />
        <path
          className="m-highland"
          d="M1245 152q5-2 10-3q5-1 15-2q10 0 25 1q15 2 30 2q15 0 25 2q10 2 15 4q5 2 15 7q10 6 25 12q15 7 40 20q25 13 31 19q6 6 6 11q1 5 0 8q-2 3-3 5q-2 2-5 4q-4 3-21 10q-17 8-25 12q-8 4-13 6q-5 2-10 2q-5 1-10 0q-5 0-20-5q-15-5-20-6q-5-1-10-1q-5 0-20 3q-15 3-25 3q-10 0-20-2q-10-3-30-12q-20-8-25-11q-5-4-8-7q-2-4-5-14q-2-10-2-20q0-10 2-15q2-5 5-10q3-5 8-10q5-5 10-8q5-3 10-5z"
        />
        <path
          className="m-water"
          d="M1146 500q31-10 37-11q7-1 17 0q10 1 23 6q12 5 25 12q12 7 16 10q4 3 9 8q5 5 7 10q2 5 2 10q0 5-4 10q-3 5-10 10q-6 5-22 14q-16 9-26 13q-10 5-35 10q-25 5-35 6q-10 1-30-1q-20-3-25-3q-5 0-20 0q-15-1-25-2q-10-1-20-3q-10-2-18-5q-9-4-16-9q-7-5-11-10q-5-5-7-10q-3-5-3-10q0-5 4-10q3-5 13-10q10-5 24-10q14-4 24-6q10-2 25-2q15 1 20 0q5-1 18-4q13-3 43-13z"
        />
        <path
          className="m-grid"
          d="M880 0v760M1120 0v760M1360 0v760M760 200h840M760 440h840M760 680h840"
        />
      </svg>
      <div className="career-map-contours" />
      <svg
        viewBox="0 0 1600 760"
        preserveAspectRatio="xMaxYMid slice"
        role="img"
        aria-label="A map with a marked route from “You are here”, around Lake No-Reply, past an expert review and a real person, up to the offer."
      >
        <path
          className="m-route"
          pathLength="100"
          d="M905 668c-20-60-14-112 22-152 34-38 8-74 40-110 20-24 30-40 48-66 30-40 74-26 116-44 60-26 104-40 190-84"
        />
        <g className="m-stops">
          <circle cx="905" cy="668" r="9" />
          <path d="M1009 316v-52h34l-9 11 9 11h-28v30z" />
          <path d="m1321 180 22 38h-44z" />
          <path
            className="m-pin"
            d="M931 506c-13-16-19-26-19-36a19 19 0 0 1 38 0c0 10-6 20-19 36z"
          />
        </g>
        <g className="m-words">
          <text x="928" y="690">
            You are here
          </text>
          <text x="964" y="500" className="m-person">
            A real person
          </text>
          <text x="1000" y="248" className="m-review">
            Expert review
          </text>
          <text x="1321" y="160" textAnchor="middle" className="m-peak">
            The offer
          </text>
          <text x="1126" y="560" textAnchor="middle" className="m-lake">
            Lake No-Reply
          </text>
          <text x="1420" y="650" textAnchor="middle" className="m-area">
            Easy-Apply Flats
          </text>
          <text x="1588" y="194" textAnchor="end" className="m-degree">
            26°55′ N
          </text>
          <text x="1588" y="434" textAnchor="end" className="m-degree">
            19°04′ N
          </text>
          <text x="1588" y="674" textAnchor="end" className="m-degree">
            12°58′ N
          </text>
        </g>
      </svg>
    </figure>
  );
}
