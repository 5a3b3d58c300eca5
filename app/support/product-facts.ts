/** What the information pages say of who stands behind the product; it comes from the configuration. */
export type ProductFacts = {
  name: string;
  merchant: string;
  supportPhone: string;
  supportEmail: string;
};
