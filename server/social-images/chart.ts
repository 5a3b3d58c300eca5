/** The colours of the light theme, as in `app/ui/brand/tokens.css`. */
export const chart = {
  paper: "#f3f1e8",
  sheet: "#fbfaf5",
  lowland: "#e3e9d8",
  ink: "#17211f",
  inkSoft: "#46524e",
  line: "#d0cdbf",
  contour: "#d9c6a1",
  accent: "#bf3413",
};
