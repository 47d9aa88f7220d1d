import { MAX_DAYS } from '../../organization-settings';
import { BadRetention } from '../channels.errors';

/** Keeps messages for ever. */
const UNLIMITED = -1;

/**
 * Reads `message_retention_days` of a channel (reference 1.4).
 * @returns days, -1 for ever, null to follow the organization
 * @throws BadRetention
 */
export function parseRetention(value: number | string): number | null {
  if (value === 'realm_default') return null;
  if (value === 'unlimited') return UNLIMITED;
  if (typeof value === 'number' && value > 0 && value <= MAX_DAYS) return value;
  throw new BadRetention(value);
}
