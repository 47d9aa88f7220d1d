import { OperationSettings } from './operation-settings';

const MIB = 1024 * 1024;

/**
 * All settings of the operator, one field per environment variable, and values derived from them. The fields are
 * declared by topic in a chain of classes, because a default may depend on settings above it; `docs/configuration.md`
 * is generated from them. Only `loadConfig` creates it, and it is immutable.
 */
export class Config extends OperationSettings {
  /** Whether clients reach the server through TLS, its own or that of a proxy. */
  get isReachedThroughTls(): boolean {
    return this.tlsCert !== null || this.externalUrl.startsWith('https:');
  }

  get isDevelopment(): boolean {
    return this.serverMode === 'development';
  }

  /**
   * The URL under which clients reach the server. Port 0 in `EXTERNAL_URL` stands for the port that the system
   * assigned.
   * @param url the server's actual address
   */
  siteAt(url: string): string {
    return new URL(this.externalUrl).port === '0' ? url : this.externalUrl;
  }

  /** The allowed hosts: the server's own name, and the configured ones. */
  get hosts(): readonly string[] {
    return [new URL(this.externalUrl).hostname, this.host.toLowerCase(), ...this.allowedHosts];
  }

  get maxUploadBytes(): number {
    return this.maxUploadMib * MIB;
  }

  /** Maximum size of all uploads together; infinite without a limit. */
  get uploadQuotaBytes(): number {
    return this.uploadQuotaMib === 0 ? Infinity : this.uploadQuotaMib * MIB;
  }

  /** Maximum size of the uploads of a person and their bots; infinite without a limit. */
  get personalUploadQuotaBytes(): number {
    return this.personalUploadQuotaMib === 0 ? Infinity : this.personalUploadQuotaMib * MIB;
  }

  /** The mail gateway address for `local`, such as the token of a channel. */
  gatewayAddress(local: string): string {
    return (this.emailGatewayPattern ?? `%s@${this.emailDomain}`).replace('%s', local);
  }

  /** The inverse of {@link gatewayAddress}, in lower case; null for an address that does not match the pattern. */
  gatewayLocal(address: string): string | null {
    const [before = '', after = ''] = this.gatewayAddress('%s').toLowerCase().split('%s');
    const given = address.toLowerCase();
    const isOurs = given.startsWith(before) && given.endsWith(after);
    return isOurs && given.length > before.length + after.length
      ? given.slice(before.length, given.length - after.length)
      : null;
  }
}
