import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of a certificate for 127.0.0.1 and localhost, and of its key, created for tests and valid until 2126. */
export interface TestIdentity {
  readonly certPath: string;
  readonly keyPath: string;
  /** The certificate, for clients to trust. */
  readonly cert: Buffer;
}

/** Two that do not match. */
export const [FIRST, SECOND] = [identity('first'), identity('second')] as const;

/**
 * An RSA key of 2048 bits, for a signing provider; next to it are one with an expired certificate, and one of 1024
 * bits.
 */
export const SIGNER = identity('provider');
export const ENDED_CERT = join(__dirname, 'ended-cert.pem');

function identity(name: string): TestIdentity {
  const certPath = join(__dirname, `${name}-cert.pem`);
  return { certPath, keyPath: join(__dirname, `${name}-key.pem`), cert: readFileSync(certPath) };
}
