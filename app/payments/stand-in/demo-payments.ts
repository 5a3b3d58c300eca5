/** The provider's id of a payment of the demonstration's data, which was made before the stand-in ran. */
export function demoPaymentId(paise: number, number: number): string {
  return `demo-${paise}-${number}`;
}

/** What was captured by a payment of the demonstration's data; null for any other. */
export function demoPaymentPaise(paymentId: string): number | null {
  const match = /^demo-(\d{1,9})-\d+$/.exec(paymentId);
  return match ? Number(match[1]) : null;
}
