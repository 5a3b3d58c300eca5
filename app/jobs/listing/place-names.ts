/**
 * Place names in listings. Names that are displayed have capitals; all others are lower case.
 */

/** Countries by ISO 3166-1 code, as search engines expect them. */
export const countryNames = parseNames(
  "AD Andorra|AE United Arab Emirates|AF Afghanistan|AG Antigua and Barbuda|AL Albania|AM Armenia|AO Angola|" +
    "AR Argentina|AT Austria|AU Australia|AZ Azerbaijan|BA Bosnia and Herzegovina|BB Barbados|BD Bangladesh|" +
    "BE Belgium|BF Burkina Faso|BG Bulgaria|BH Bahrain|BI Burundi|BJ Benin|BN Brunei|BO Bolivia|BR Brazil|" +
    "BS Bahamas|BT Bhutan|BW Botswana|BY Belarus|BZ Belize|CA Canada|CD DR Congo|CF Central African Republic|" +
    "CG Congo|CH Switzerland|CI Ivory Coast|CL Chile|CM Cameroon|CN China|CO Colombia|CR Costa Rica|CU Cuba|" +
    "CV Cape Verde|CY Cyprus|CZ Czechia|DE Germany|DJ Djibouti|DK Denmark|DM Dominica|DO Dominican Republic|" +
    "DZ Algeria|EC Ecuador|EE Estonia|EG Egypt|ER Eritrea|ES Spain|ET Ethiopia|FI Finland|FJ Fiji|FM Micronesia|" +
    "FR France|GA Gabon|GB United Kingdom|GD Grenada|GE Georgia|GH Ghana|GM Gambia|GN Guinea|GQ Equatorial Guinea|" +
    "GR Greece|GT Guatemala|GW Guinea-Bissau|GY Guyana|HK Hong Kong|HN Honduras|HR Croatia|HT Haiti|HU Hungary|" +
    "ID Indonesia|IE Ireland|IL Israel|IN India|IQ Iraq|IR Iran|IS Iceland|IT Italy|JM Jamaica|JO Jordan|JP Japan|" +
    "KE Kenya|KG Kyrgyzstan|KH Cambodia|KI Kiribati|KM Comoros|KN Saint Kitts and Nevis|KP North Korea|" +
    "KR South Korea|KW Kuwait|KZ Kazakhstan|LA Laos|LB Lebanon|LC Saint Lucia|LI Liechtenstein|LK Sri Lanka|" +
    "LR Liberia|LS Lesotho|LT Lithuania|LU Luxembourg|LV Latvia|LY Libya|MA Morocco|MC Monaco|MD Moldova|" +
    "ME Montenegro|MG Madagascar|MH Marshall Islands|MK North Macedonia|ML Mali|MM Myanmar|MN Mongolia|MO Macau|" +
    "MR Mauritania|MT Malta|MU Mauritius|MV Maldives|MW Malawi|MX Mexico|MY Malaysia|MZ Mozambique|NA Namibia|" +
    "NE Niger|NG Nigeria|NI Nicaragua|NL Netherlands|NO Norway|NP Nepal|NR Nauru|NZ New Zealand|OM Oman|PA Panama|" +
    "PE Peru|PG Papua New Guinea|PH Philippines|PK Pakistan|PL Poland|PR Puerto Rico|PS Palestine|PT Portugal|" +
    "PW Palau|PY Paraguay|QA Qatar|RO Romania|RS Serbia|RU Russia|RW Rwanda|SA Saudi Arabia|SB Solomon Islands|" +
    "SC Seychelles|SD Sudan|SE Sweden|SG Singapore|SI Slovenia|SK Slovakia|SL Sierra Leone|SM San Marino|" +
    "SN Senegal|SO Somalia|SR Suriname|SS South Sudan|ST Sao Tome and Principe|SV El Salvador|SY Syria|" +
    "SZ Eswatini|TD Chad|TG Togo|TH Thailand|TJ Tajikistan|TL Timor-Leste|TM Turkmenistan|TN Tunisia|TO Tonga|" +
    "TR Turkey|TT Trinidad and Tobago|TV Tuvalu|TW Taiwan|TZ Tanzania|UA Ukraine|UG Uganda|US United States|" +
    "UY Uruguay|UZ Uzbekistan|VC Saint Vincent and the Grenadines|VE Venezuela|VN Vietnam|VU Vanuatu|WS Samoa|" +
    "XK Kosovo|YE Yemen|ZA South Africa|ZM Zambia|ZW Zimbabwe",
);

/** Other names of countries. */
export const countryAliases = parseLists(
  "AE uae,u a e,emirates|BR brasil|CN prc|CZ czech republic|DE deutschland|GB uk,u k,great britain,britain|KR korea" +
    "|IN bharat|MM burma|NL holland|SA ksa|TR türkiye,turkiye|US usa,us,u s,u s a,america",
);

/** States and regions outside India. */
export const statesAbroad = parseLists(
  "AU new south wales,queensland|CA ontario,british columbia,quebec,alberta|GB england,scotland,wales,northern ireland" +
    "|ID bali|US bay area,silicon valley,california,texas,florida,new jersey,massachusetts,illinois,colorado,oregon," +
    "virginia,north carolina,michigan",
);

/** Cities outside India. */
export const citiesAbroad = parseLists(
  "AE dubai,abu dhabi,sharjah,ajman,ras al khaimah|AR buenos aires" +
    "|AU sydney,melbourne,brisbane,perth,adelaide,canberra|AT vienna" +
    "|BD dhaka,chittagong,chattogram|BE brussels,antwerp,ghent|BH manama|BR sao paulo,rio de janeiro|BT thimphu" +
    "|CA toronto,vancouver,montreal,ottawa,calgary,waterloo" +
    "|CH zurich,zürich,geneva,basel,lausanne,bern|CL santiago|CN beijing,shanghai,shenzhen,guangzhou,hangzhou" +
    "|CO bogota,medellin|CZ prague|DE berlin,munich,münchen,hamburg,frankfurt,cologne," +
    "stuttgart,düsseldorf,dusseldorf,leipzig|DK copenhagen|EE tallinn|EG cairo|ES barcelona,madrid,valencia,malaga" +
    "|ET addis ababa|FI helsinki|FR paris,lyon,marseille,toulouse" +
    "|GB london,manchester,birmingham," +
    "edinburgh,glasgow,bristol,leeds,liverpool,cambridge,oxford,cardiff,belfast,brighton" +
    "|GH accra|GR athens|HR zagreb|HU budapest|ID jakarta,bandung|IE dublin,cork,galway|IL tel aviv,jerusalem" +
    "|IT rome,milan,milano,turin,florence,bologna|JP tokyo,osaka,kyoto,yokohama|KE nairobi|KR seoul" +
    "|KW kuwait city|LK colombo|LT vilnius|LV riga|MA casablanca|MU port louis" +
    "|MX mexico city,guadalajara,monterrey|MY kuala lumpur,penang|NG lagos,abuja" +
    "|NL amsterdam,rotterdam,the hague,utrecht,eindhoven,delft|NO oslo,bergen|NP kathmandu,pokhara" +
    "|NZ auckland,wellington,christchurch|OM muscat|PE lima|PH manila,cebu|PK karachi,lahore,islamabad" +
    "|PL warsaw,krakow,kraków,wroclaw,gdansk|PT lisbon,lisboa,porto|QA doha|RO bucharest,cluj|RS belgrade" +
    "|RU moscow,saint petersburg,st petersburg|RW kigali|SA riyadh,jeddah,dammam,neom|SE stockholm,gothenburg,malmö" +
    "|SI ljubljana|SK bratislava|TH bangkok,chiang mai,phuket|TN tunis|TR istanbul,ankara" +
    "|TW taipei|TZ dar es salaam|UA kyiv,kiev,lviv|UG kampala" +
    "|US new york,nyc,san francisco,los angeles,seattle,boston," +
    "chicago,austin,dallas,houston,denver,atlanta,miami,philadelphia,san diego,san jose,palo alto,mountain view," +
    "sunnyvale,cupertino,menlo park,washington,washington dc,brooklyn,detroit,phoenix,minneapolis,pittsburgh" +
    "|VN ho chi minh city,saigon,hanoi|ZA johannesburg,cape town,durban,pretoria",
);

/** Regions of several countries, so that no single country is known. */
export const regions = (
  "Europe|European Union|EU|EEA|EMEA|Eastern Europe|Western Europe|Northern Europe|Southern Europe|Asia|APAC|" +
  "Asia Pacific|South Asia|Southeast Asia|South East Asia|East Asia|Central Asia|SAARC|Africa|East Africa|" +
  "West Africa|Sub Saharan Africa|North Africa|Middle East|MENA|Gulf|North America|South America|Latin America|" +
  "Central America|LATAM|Americas|Oceania|Caribbean|Scandinavia|Nordics|Nordic|Baltics|Balkans|Benelux|DACH|Schengen"
).split("|");

/** Cities of India. */
export const cities = (
  "Agra|Ahmedabad|Ajmer|Aligarh|Amritsar|Aurangabad|Belagavi|Bengaluru|Bhavnagar|Bhopal|Bhubaneswar|" +
  "Chandigarh|Chennai|Coimbatore|Cuttack|Dehradun|Delhi|Dhanbad|Durgapur|Faridabad|Gandhinagar|Gangtok|" +
  "Ghaziabad|Goa|Greater Noida|Gurugram|Guwahati|Gwalior|Hosur|Hubballi|Hyderabad|Imphal|Indore|Jabalpur|" +
  "Jaipur|Jalandhar|Jammu|Jamshedpur|Jodhpur|Kanpur|Kochi|Kolhapur|Kolkata|Kota|Kozhikode|Leh|Lucknow|" +
  "Ludhiana|Madurai|Mangaluru|Manipal|Meerut|Mohali|Mumbai|Mysuru|Nagpur|Nashik|Navi Mumbai|New Delhi|Noida|" +
  "Panaji|Panchkula|Patna|Prayagraj|Puducherry|Pune|Raipur|Rajkot|Ranchi|Salem|Secunderabad|Shillong|Shimla|" +
  "Siliguri|Srinagar|Surat|Thane|Thiruvananthapuram|Thrissur|Tiruchirappalli|Udaipur|Vadodara|Varanasi|" +
  "Vellore|Vijayawada|Visakhapatnam|Warangal"
).split("|");

/** Other names of these cities and their surroundings. */
export const cityAliases: Readonly<Record<string, string>> = {
  allahabad: "Prayagraj",
  amdavad: "Ahmedabad",
  banaras: "Varanasi",
  bangalore: "Bengaluru",
  baroda: "Vadodara",
  belgaum: "Belagavi",
  benares: "Varanasi",
  bengalooru: "Bengaluru",
  bombay: "Mumbai",
  calcutta: "Kolkata",
  calicut: "Kozhikode",
  cochin: "Kochi",
  gauhati: "Guwahati",
  gurgaon: "Gurugram",
  hubli: "Hubballi",
  madras: "Chennai",
  mangalore: "Mangaluru",
  mysore: "Mysuru",
  ncr: "Delhi",
  panjim: "Panaji",
  pondicherry: "Puducherry",
  poona: "Pune",
  simla: "Shimla",
  trichur: "Thrissur",
  trichy: "Tiruchirappalli",
  trivandrum: "Thiruvananthapuram",
  vizag: "Visakhapatnam",
};

/** States and union territories of India. */
export const states = (
  "Andhra Pradesh|Arunachal Pradesh|Assam|Bihar|Chhattisgarh|Goa|Gujarat|Haryana|Himachal Pradesh|Jharkhand|" +
  "Karnataka|Kerala|Madhya Pradesh|Maharashtra|Manipur|Meghalaya|Mizoram|Nagaland|Odisha|Punjab|Rajasthan|Sikkim|" +
  "Tamil Nadu|Telangana|Tripura|Uttar Pradesh|Uttarakhand|West Bengal|Andaman and Nicobar Islands|" +
  "Dadra and Nagar Haveli|Daman and Diu|Jammu and Kashmir|Ladakh|Lakshadweep"
).split("|");

export const stateAliases: Readonly<Record<string, string>> = {
  orissa: "Odisha",
  tamilnadu: "Tamil Nadu",
  uttaranchal: "Uttarakhand",
  chattisgarh: "Chhattisgarh",
  telengana: "Telangana",
  kashmir: "Jammu and Kashmir",
  "j k": "Jammu and Kashmir",
  "andaman and nicobar": "Andaman and Nicobar Islands",
  andamans: "Andaman and Nicobar Islands",
};

function parseNames(joined: string): ReadonlyMap<string, string> {
  return new Map(joined.split("|").map((entry) => [entry.slice(0, 2), entry.slice(3)]));
}

function parseLists(joined: string): ReadonlyMap<string, readonly string[]> {
  return new Map(joined.split("|").map((entry) => [entry.slice(0, 2), entry.slice(3).split(",")]));
}
