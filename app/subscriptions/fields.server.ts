import { profiles } from "../accounts/tables.server.ts";

/** The columns of a profile that make up its subscription. */
export const subscriptionFields = {
  isSubscribed: profiles.isSubscribed,
  subscriptionEndsAt: profiles.subscriptionEndsAt,
  subscriptionId: profiles.subscriptionId,
  isRecurring: profiles.isRecurring,
};

export type SubscriptionFields = {
  isSubscribed: boolean;
  subscriptionEndsAt: Date | null;
  subscriptionId: string | null;
  isRecurring: boolean;
};

export const noSubscription: SubscriptionFields = {
  isSubscribed: false,
  subscriptionEndsAt: null,
  subscriptionId: null,
  isRecurring: false,
};
