/** The parts of an amount that includes GST, in paise. They add up to the amount. */
export type TaxSplit = {
  taxablePaise: number;
  cgstPaise: number;
  sgstPaise: number;
  igstPaise: number;
};

/**
 * Splits an amount into its taxable value and the tax that it includes. Half a paisa is rounded up.
 *
 * @param rate of the tax in percent, a whole number
 * @param isSameState true if the buyer is in the seller's State: the tax is then CGST and SGST, otherwise IGST
 */
export function computeTaxSplit(amountPaise: number, rate: number, isSameState: boolean): TaxSplit {
  const taxed = amountPaise * rate;
  const half = isSameState ? computeHalfUpQuotient(taxed, 2 * (100 + rate)) : 0;
  const igstPaise = isSameState ? 0 : computeHalfUpQuotient(taxed, 100 + rate);
  return {
    taxablePaise: amountPaise - 2 * half - igstPaise,
    cgstPaise: half,
    sgstPaise: half,
    igstPaise,
  };
}

/** Divides natural numbers without fractions, which a floating-point number cannot hold exactly. */
function computeHalfUpQuotient(dividend: number, divisor: number): number {
  const doubled = 2 * dividend + divisor;
  return (doubled - (doubled % (2 * divisor))) / (2 * divisor);
}
