import { OperationSettings } from './operation-settings';

const MIB = 1024 * 1024;

/**
 * Everything an operator can set, one field per environment variable, and what follows from it. The fields are declared by
 * topic, each class adding to the one before, as a default may depend on settings above it; `docs/configuration.md` is
 * generated from them. Only `loadConfig` creates it, and it never changes afterwards.
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
   * The address under which clients reach the server. Port 0 in `EXTERNAL_URL` means the port that the system chose.
   * @param url where the server actually listens
   */
  siteAt(url: string): string {
    return new URL(this.externalUrl).port === '0' ? url : this.externalUrl;
  }

  /** The hosts that the server answers for: its own name, and those that the operator added. */
  get hosts(): readonly string[] {
    return [new URL(this.externalUrl).hostname, this.host.toLowerCase(), ...this.allowedHosts];
  }

  get maxUploadBytes(): number {
    return this.maxUploadMib * MIB;
  }

  /** What all uploads together may take; infinite without a limit. */
  get uploadQuotaBytes(): number {
    return this.uploadQuotaMib === 0 ? Infinity : this.uploadQuotaMib * MIB;
  }

  /** What the uploads of a person and their bots may take; infinite without a limit. */
  get personalUploadQuotaBytes(): number {
    return this.personalUploadQuotaMib === 0 ? Infinity : this.personalUploadQuotaMib * MIB;
  }

  /** The address at which mail arrives for `local`, such as the token of a channel. */
  gatewayAddress(local: string): string {
    return (this.emailGatewayPattern ?? `%s@${this.emailDomain}`).replace('%s', local);
  }

  /** What {@link gatewayAddress} made an address of, in lower case; null for an address of another pattern. */
  gatewayLocal(address: string): string | null {
    const [before = '', after = ''] = this.gatewayAddress('%s').toLowerCase().split('%s');
    const given = address.toLowerCase();
    const isOurs = given.startsWith(before) && given.endsWith(after);
    return isOurs && given.length > before.length + after.length
      ? given.slice(before.length, given.length - after.length)
      : null;
  }
}
