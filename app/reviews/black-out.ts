/** The boxes that customers black out on pages of their files; safe for the browser. */

/** A box on a page, as shares of the page's sides from its top left corner. */
export type PageBox = { page: number; x: number; y: number; width: number; height: number };

/** A blacked-out copy that a customer asked for. */
export type CopyRequest = {
  /** Becomes the id of the row once the copy is made. */
  id: string;
  boxes: PageBox[];
  /** The number of times that making it was started. */
  attempts: number;
  /** Why it could not be made, as a sentence; null while it can be. */
  problem: string | null;
};

/** An original is deleted this many days after its review is completed or refunded. */
export const originalDays = 30;
