/**
 * Indian cities in degrees north and east. The board shows them for decoration.
 */
const cities: Record<string, readonly [number, number]> = {
  ahmedabad: [23.02, 72.57],
  bengaluru: [12.97, 77.59],
  bangalore: [12.97, 77.59],
  bhopal: [23.26, 77.41],
  bhubaneswar: [20.3, 85.82],
  chandigarh: [30.73, 76.78],
  chennai: [13.08, 80.27],
  coimbatore: [11.02, 76.96],
  dehradun: [30.32, 78.03],
  delhi: [28.61, 77.21],
  faridabad: [28.41, 77.32],
  ghaziabad: [28.67, 77.45],
  goa: [15.49, 73.83],
  gurgaon: [28.46, 77.03],
  gurugram: [28.46, 77.03],
  guwahati: [26.14, 91.74],
  hyderabad: [17.39, 78.49],
  indore: [22.72, 75.86],
  jaipur: [26.91, 75.79],
  jodhpur: [26.24, 73.02],
  kanpur: [26.45, 80.33],
  kochi: [9.93, 76.27],
  kolkata: [22.57, 88.36],
  lucknow: [26.85, 80.95],
  mumbai: [19.08, 72.88],
  mysuru: [12.3, 76.64],
  nagpur: [21.15, 79.09],
  nashik: [20, 73.79],
  noida: [28.54, 77.39],
  patna: [25.59, 85.14],
  pune: [18.52, 73.86],
  raipur: [21.25, 81.63],
  ranchi: [23.34, 85.31],
  shillong: [25.58, 91.89],
  surat: [21.17, 72.83],
  thiruvananthapuram: [8.52, 76.94],
  udaipur: [24.59, 73.71],
  vadodara: [22.31, 73.18],
  varanasi: [25.32, 82.97],
  visakhapatnam: [17.69, 83.22],
};

export type Place = { north: number; east: number };

/** Finds the first known city in a location such as "Pune, hybrid"; null if there is none. */
export function findPlace(location: string): Place | null {
  const city = findCity(location);
  const found = city === null ? undefined : cities[city.toLowerCase()];
  return found ? { north: found[0], east: found[1] } : null;
}

function findCity(location: string): string | null {
  const words = location.split(/[^a-z]+/i);
  return words.find((word) => Object.hasOwn(cities, word.toLowerCase())) ?? null;
}

/** Formats coordinates as on a map: ["18.52° N", "73.86° E"] */
export function formatPlaceCoordinates({ north, east }: Place): [string, string] {
  return [`${north.toFixed(2)}° N`, `${east.toFixed(2)}° E`];
}
