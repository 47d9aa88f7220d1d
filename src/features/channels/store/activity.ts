const SECONDS_A_DAY = 86_400;

/** How long a channel without messages counts as recently active. Days. */
const ACTIVE_DAYS = 180;

/** The stretch over which traffic is averaged. Days. */
export const TRAFFIC_DAYS = 28;

/** Below this age a channel has no traffic figure. Days. */
const MINIMUM_AGE_DAYS = 7;

interface Ages {
  /** UNIX seconds. */
  readonly dateCreated: number;
  /** UNIX seconds; null without messages. */
  readonly lastMessageAt: number | null;
}

/** Whether a channel is new or had a message in the last 180 days. */
export function isRecentlyActive(channel: Ages, now: number): boolean {
  const latest = Math.max(channel.dateCreated, channel.lastMessageAt ?? 0);
  return now - latest < ACTIVE_DAYS * SECONDS_A_DAY;
}

/**
 * Messages a week, averaged over the last four weeks or over the channel's age where it is younger, and
 * rounded to two significant digits.
 * @param messages sent to the channel in the last {@link TRAFFIC_DAYS}
 * @returns null for a channel in its first week
 */
export function weeklyTraffic(messages: number, dateCreated: number, now: number): number | null {
  const age = Math.floor((now - dateCreated) / SECONDS_A_DAY);
  if (age < MINIMUM_AGE_DAYS) return null;
  const average = Math.floor((messages * 7) / Math.min(age, TRAFFIC_DAYS));
  return messages > 0 ? roundToTwoDigits(Math.max(average, 1)) : 0;
}

function roundToTwoDigits(count: number): number {
  const unit = 10 ** Math.max(String(count).length - 2, 0);
  return Math.round(count / unit) * unit;
}
