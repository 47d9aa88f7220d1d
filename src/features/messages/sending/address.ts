import { BadRequest } from '../../../platform/errors/shared.errors';

/** People named by their addresses or by their IDs, without repeats. */
export type NamedPeople = { readonly emails: readonly string[] } | { readonly userIds: readonly number[] };

/**
 * Reads `to` of a channel message: a raw or JSON-quoted name, an ID, or a list of exactly one of these
 * (messages reference 2.2). So a channel whose name is a number can only be named in JSON quotes.
 * @returns a name or an ID
 */
export function parseChannelAddress(to: string): string | number {
  let value = jsonOr(to, to);
  if (Array.isArray(value)) {
    if (value.length !== 1) throw new BadRequest('Expected exactly one channel');
    value = value[0];
  }
  if (typeof value === 'string') return value.toWellFormed();
  if (isInteger(value)) return value;
  throw new BadRequest('Invalid data type for channel');
}

/**
 * Reads `to` of a direct message: a list of IDs, a list of addresses, or addresses joined by commas, raw or
 * JSON-quoted (messages reference 2.2).
 */
export function parseDirectAddress(to: string): NamedPeople {
  const value = jsonOr(to, to);
  const list = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list)) throw new BadRequest('Invalid data type for recipients');
  const [first] = list as unknown[];
  if (typeof first === 'string') return { emails: distinctEmails(list) };
  if (first === undefined || isInteger(first)) return { userIds: distinctIds(list) };
  throw new BadRequest('Invalid data type for recipients');
}

function distinctEmails(list: readonly unknown[]): string[] {
  if (!list.every((item) => typeof item === 'string')) throw mixed();
  const emails = list.map((email) => email.trim().toWellFormed()).filter((email) => email !== '');
  return [...new Set(emails)];
}

function distinctIds(list: readonly unknown[]): number[] {
  if (!list.every(isInteger)) throw mixed();
  return [...new Set(list)];
}

function mixed(): BadRequest {
  return new BadRequest('Recipient lists may contain emails or user IDs, but not both.');
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}
