import { connect, isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Injectable, Logger } from '@nestjs/common';
import type * as Ldap from 'ldapts';
import { answerWithin } from '../../../platform/clock';
import { type LdapDirectory, LdapSettings } from '../../../platform/config/ldap-settings';
import { Semaphore } from '../../../platform/semaphore';
import { DirectoryUnreachable } from '../../users/users.module';
import { attributesOf, type DirectoryPerson, personOf } from './directory-person';

/** Timeout for all directory requests of one sign-in. */
const PATIENCE_MS = 5_000;

/** Timeout for one page of people. */
const PAGE_PATIENCE_MS = 30_000;

const PAGE_SIZE = 500;

/** More are refused, because all of them are held in memory. */
const MAX_PEOPLE = 200_000;

/** Maximum numbers of sign-ins that query the directory at the same time, and that wait for a slot. */
const MAX_AT_ONCE = 20;
const MAX_WAITING = 100;

/** Binary attributes by which Active Directory identifies entries. */
const BINARY = ['objectGUID', 'objectSid'];

/** Attributes and their values; a person matches if any of them does. */
export type AttributeFilter = Readonly<Record<string, string>>;

/** LDAP client for the directory. Does not follow referrals, which would send passwords to other servers. */
@Injectable()
export class LdapClient {
  private readonly logger = new Logger(LdapClient.name);
  private readonly places = new Semaphore(MAX_AT_ONCE);

  constructor(private readonly settings: LdapSettings) {}

  /**
   * Checks a password: finds the matching entry, then binds as that person in a separate connection.
   * @returns null if no person or several match, or the password is wrong
   * @throws DirectoryUnreachable
   */
  async authenticate(wanted: AttributeFilter, password: string): Promise<DirectoryPerson | null> {
    // With an empty password, directories accept any name and bind as unauthenticated (RFC 4513, 5.1.2).
    if (password === '') return null;
    if (this.places.waitingCount >= MAX_WAITING) throw new DirectoryUnreachable();
    return this.places.run(() =>
      this.patiently(async () => {
        const person = await this.find(wanted);
        // An unknown name must take as long as a known one.
        const isRight = await this.isPassword(person?.dn ?? `cn=nobody,${this.directory.base_dn}`, password);
        return isRight ? person : null;
      }),
    );
  }

  /** Reads all people in the directory. @throws DirectoryUnreachable */
  async people(): Promise<DirectoryPerson[]> {
    const { directory } = this;
    const { FilterParser } = ldap();
    const filter = FilterParser.parseString(directory.filter);
    const people: DirectoryPerson[] = [];
    await this.patiently(
      () =>
        this.asService(PAGE_PATIENCE_MS, async (client) => {
          const pages = client.searchPaginated(directory.base_dn, {
            ...this.searchFor(filter),
            paged: { pageSize: PAGE_SIZE },
          });
          for await (const { searchEntries } of pages) {
            people.push(...searchEntries.flatMap((entry) => personOf(entry, directory) ?? []));
            if (people.length > MAX_PEOPLE) throw new Error(`More than ${MAX_PEOPLE} entries are people.`);
          }
        }),
      PAGE_PATIENCE_MS * 20,
    );
    return people;
  }

  /** Tests the settings. @returns the problem, or null if there is none */
  async problem(): Promise<string | null> {
    const { directory } = this;
    try {
      const filter = ldap().FilterParser.parseString(directory.filter);
      const entries = await answerWithin(PATIENCE_MS, this.search(filter, 1));
      const [entry] = entries;
      if (!entry) return 'No entry below "base_dn" matches "filter".';
      const person = personOf(entry, directory);
      if (!person) return `The entry ${entry.dn} has no ${directory.id_attribute}.`;
      return person.email === null ? `The entry ${entry.dn} has no ${directory.email_attribute}.` : null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  private get directory(): LdapDirectory {
    const { directory } = this.settings;
    if (!directory) throw new Error('There is no LDAP directory.');
    return directory;
  }

  private async find(wanted: AttributeFilter): Promise<DirectoryPerson | null> {
    const { directory } = this;
    const { AndFilter, EqualityFilter, FilterParser, OrFilter } = ldap();
    // User input never becomes part of filter text that is parsed.
    const filters = Object.entries(wanted).map(
      ([attribute, value]) =>
        new EqualityFilter({
          attribute,
          value: isBinary(attribute) ? Buffer.from(value, 'hex') : value,
        }),
    );
    const filter = new AndFilter({
      filters: [FilterParser.parseString(directory.filter), new OrFilter({ filters })],
    });
    const found = await this.search(filter, 2);
    if (found.length > 1)
      this.logger.warn('Several directory entries match one name, so the sign-in is refused.');
    const [entry] = found;
    return found.length === 1 && entry ? personOf(entry, directory) : null;
  }

  private search(filter: Ldap.Filter, sizeLimit: number): Promise<Ldap.Entry[]> {
    return this.asService(PATIENCE_MS, async (client) => {
      const options = { ...this.searchFor(filter), sizeLimit };
      return (await client.search(this.directory.base_dn, options)).searchEntries;
    });
  }

  private searchFor(filter: Ldap.Filter): Ldap.SearchOptions {
    const attributes = attributesOf(this.directory);
    return { scope: 'sub', filter, attributes, explicitBufferAttributes: BINARY };
  }

  private asService<T>(timeout: number, work: (client: Ldap.Client) => Promise<T>): Promise<T> {
    return this.connected(timeout, async (client) => {
      await client.bind(this.directory.bind_dn, this.directory.password);
      return work(client);
    });
  }

  /** Uses a separate connection and closes it, because the bind gives it the rights of that person. */
  private isPassword(dn: string, password: string): Promise<boolean> {
    return this.connected(PATIENCE_MS, async (client) => {
      try {
        await client.bind(dn, password);
        return true;
      } catch (error) {
        if (!(error instanceof ldap().ResultCodeError)) throw error;
        // Active Directory's message has the reason: `data 533` for a disabled account, `data 775` for a locked one.
        this.logger.debug(`The directory refuses a password: ${error.message}`);
        return false;
      }
    });
  }

  private async connected<T>(timeout: number, work: (client: Ldap.Client) => Promise<T>): Promise<T> {
    const { url, starttls } = this.directory;
    const isSecure = url.startsWith('ldaps:');
    let connections = 0;
    const client = new (ldap().Client)({
      url,
      timeout,
      connectTimeout: PATIENCE_MS,
      ...(isSecure && { tlsOptions: this.tlsOptions() }),
      // After a lost connection, the library reconnects without StartTLS and would send the password in the clear.
      createConnection: ((port: number, host: string) => {
        if (connections++ > 0) throw new Error('The connection was lost.');
        return connect(port, host);
      }) as typeof connect,
    });
    try {
      if (starttls) await client.startTLS(this.tlsOptions());
      return await work(client);
    } finally {
      void client.unbind().catch(() => undefined);
    }
  }

  private tlsOptions(): ConnectionOptions {
    const { url, ca } = this.directory;
    const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
    // The names against which Node checks the certificate; the default is `localhost`.
    const name = isIP(host) === 0 ? { host, servername: host } : { host };
    return { ...name, minVersion: 'TLSv1.2', ...(ca !== null && { ca }) };
  }

  private async patiently<T>(work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
    try {
      return await answerWithin(patienceMs, work());
    } catch (error) {
      this.logger.warn(`The LDAP directory failed: ${reasonOf(error)}`);
      throw new DirectoryUnreachable();
    }
  }
}

/** Attribute names in the settings may have any case. */
function isBinary(attribute: string): boolean {
  return BINARY.some((each) => each.toLowerCase() === attribute.toLowerCase());
}

/** Loads the library on first use. */
function ldap(): typeof Ldap {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at startup
  return require('ldapts') as typeof Ldap;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.trim()}` : 'unknown error';
}
