import { InvalidDomain } from './allowed-domains.api';

const MAX_LENGTH = 255;

/**
 * Checks the name of a domain.
 * @returns the name trimmed and in lower case
 * @throws InvalidDomain
 */
export function checkedDomain(given: string): string {
  const domain = given.trim().toLowerCase();
  const problem = problemOf(domain);
  if (problem !== null) throw new InvalidDomain(problem);
  return domain;
}

function problemOf(domain: string): string | null {
  if (domain === '') return "Domain can't be empty.";
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)';
  if (domain.length > MAX_LENGTH) return 'Domain is too long';
  if (domain.startsWith('.') || domain.endsWith('.')) return 'Domain cannot start or end with a dot (.)';
  for (const part of domain.split('.')) {
    if (part === '') return "Consecutive '.' are not allowed.";
    if (part.startsWith('-') || part.endsWith('-')) return "Subdomains cannot start or end with a '-'.";
    if (!/^[a-z0-9-]+$/.test(part)) return "Domain can only have letters, numbers, '.' and '-'s.";
  }
  return null;
}
