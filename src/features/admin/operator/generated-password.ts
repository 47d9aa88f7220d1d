import { randomBytes } from 'node:crypto';

/** A password that nobody chose: 96 random bits. */
export function generatedPassword(): string {
  return randomBytes(12).toString('base64url');
}
