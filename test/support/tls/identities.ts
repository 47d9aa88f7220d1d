import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of a certificate for 127.0.0.1 and localhost and of its key, made for tests and good until 2126. */
export interface TestIdentity {
  readonly certPath: string;
  readonly keyPath: string;
  /** The certificate, which clients trust that are given it. */
  readonly cert: Buffer;
}

/** Two that do not belong together. */
export const [FIRST, SECOND] = [identity('first'), identity('second')] as const;

function identity(name: string): TestIdentity {
  const certPath = join(__dirname, `${name}-cert.pem`);
  return { certPath, keyPath: join(__dirname, `${name}-key.pem`), cert: readFileSync(certPath) };
}
