import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config';
import { StartRefused } from '../config/start-refused';

/** The server's certificate and private key: the contents of two PEM files. */
export interface TlsIdentity {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The operator's TLS settings: paths of PEM files. */
type TlsSettings = Pick<Config, 'tlsCert' | 'tlsKey'>;

/** Older versions are broken, and no current client needs them (RFC 8996). */
export const OLDEST_TLS = 'TLSv1.2';

/**
 * The identity for the server's own TLS; null if it does not use TLS, as behind a proxy.
 * @throws {StartRefused} when a file cannot be read or the two do not match
 */
export function tlsIdentity({ tlsCert, tlsKey }: TlsSettings): TlsIdentity | null {
  if (tlsCert === null || tlsKey === null) return null;
  const identity = { cert: read('TLS_CERT', tlsCert), key: read('TLS_KEY', tlsKey) };
  checkIdentity(identity, tlsCert, tlsKey);
  return identity;
}

function read(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartRefused(`Cannot read ${path} named by ${variable} (${reason}).`);
  }
}

/** OpenSSL detects most of this as well, but its messages do not help. */
function checkIdentity({ cert, key }: TlsIdentity, certPath: string, keyPath: string): void {
  const certificate = parsed(
    () => new X509Certificate(cert),
    `TLS_CERT names ${certPath}, which does not contain a PEM certificate.`,
  );
  const privateKey = parsed(
    () => createPrivateKey(key),
    `TLS_KEY names ${keyPath}, which does not contain an unencrypted PEM private key.`,
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartRefused(`The key ${keyPath} in TLS_KEY does not match the certificate ${certPath}.`);
  }
  parsed(
    () => createSecureContext({ cert, key, minVersion: OLDEST_TLS }),
    `TLS_CERT and TLS_KEY name ${certPath} and ${keyPath}, with which TLS cannot be spoken: the key may be too weak.`,
  );
}

function parsed<T>(parse: () => T, otherwise: string): T {
  try {
    return parse();
  } catch {
    throw new StartRefused(otherwise);
  }
}

/**
 * Reloads both files on SIGHUP, for example after a renewal: new connections use the new certificate. If it is
 * unusable, this is logged and the old one stays.
 */
export function renewTlsOnHangup(fastify: FastifyInstance, settings: TlsSettings): void {
  process.on('SIGHUP', () => {
    try {
      const identity = tlsIdentity(settings);
      if (identity === null) return;
      (fastify.server as unknown as Server).setSecureContext({ ...identity, minVersion: OLDEST_TLS });
      fastify.log.info('Reloaded the TLS certificate.');
    } catch (error) {
      fastify.log.error(`Keeping the current TLS certificate. ${(error as Error).message}`);
    }
  });
}
