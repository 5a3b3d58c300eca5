import type { PayuSettings } from "../../../app/platform/config.server.ts";

/** The merchant of PayU's published examples. */
export const payuSettings: PayuSettings = {
  key: "bjg$121",
  salt: "vhgvs75",
  checkoutUrl: "http://127.0.0.1/_payment",
  commandUrl: "http://127.0.0.1/merchant/postservice.php?form=2",
  formHosts: [],
  standInPorts: null,
  placeholderPhone: "9999999999",
};
