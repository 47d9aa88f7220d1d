import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Attribute, Change, Client } from 'ldapts';
import { freePort } from './free-port';
import { FIRST } from './tls/identities';

/** Includes Debian's location, which is not on the PATH of most users. */
const PATH = `${process.env.PATH}:/usr/sbin`;

/** Whether slapd is installed. */
export function hasSlapd(): boolean {
  return spawnSync('slapd', ['-VV'], { env: { PATH } }).error === undefined;
}

const ROOT = 'cn=admin,dc=example,dc=com';
export const PEOPLE = 'ou=people,dc=example,dc=com';
const GROUPS = 'ou=groups,dc=example,dc=com';

/** A real OpenLDAP server on this machine, empty except for two branches. */
export class Slapd {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    private readonly port: string,
    private readonly client: Client,
  ) {}

  static async start(): Promise<Slapd> {
    const folder = mkdtempSync(join(tmpdir(), 'parley-slapd-'));
    mkdirSync(join(folder, 'data'));
    const path = join(folder, 'slapd.conf');
    writeFileSync(path, settingsIn(folder));
    writeFileSync(join(folder, 'secret'), 'a secret of the service\n');
    const port = await freePort();
    const child = spawn('slapd', ['-d', '0', '-h', `ldap://127.0.0.1:${port}/`, '-f', path], {
      env: { PATH },
      stdio: 'ignore',
    });
    const client = new Client({ url: `ldap://127.0.0.1:${port}`, timeout: 10_000 });
    const slapd = new Slapd(child, folder, port, client);
    await slapd.answers();
    await client.bind(ROOT, 'root');
    await client.add('dc=example,dc=com', {
      objectClass: ['dcObject', 'organization'],
      dc: 'example',
      o: 'Example',
    });
    for (const branch of ['people', 'groups', 'services']) {
      await client.add(`ou=${branch},dc=example,dc=com`, { objectClass: 'organizationalUnit', ou: branch });
    }
    await client.add('cn=parley,ou=services,dc=example,dc=com', {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: 'parley',
      userPassword: 'a secret of the service',
    });
    return slapd;
  }

  /** Adds a person, whose password is their name followed by `'s password`. @returns the immutable ID */
  async addPerson(uid: string, more: Readonly<Record<string, string | string[]>> = {}): Promise<string> {
    const dn = this.dnOf(uid);
    await this.client.add(dn, {
      objectClass: 'inetOrgPerson',
      uid,
      cn: `The ${uid}`,
      sn: uid,
      mail: `${uid}@example.com`,
      userPassword: `${uid}'s password`,
      ...more,
    });
    const { searchEntries } = await this.client.search(dn, { scope: 'base', attributes: ['entryUUID'] });
    return String(searchEntries[0]?.entryUUID);
  }

  /** Sets an attribute of a person. */
  async change(uid: string, type: string, values: string[]): Promise<void> {
    const modification = new Attribute({ type, values });
    await this.client.modify(this.dnOf(uid), new Change({ operation: 'replace', modification }));
  }

  async remove(uid: string): Promise<void> {
    await this.client.del(this.dnOf(uid));
  }

  async addGroup(cn: string, ...uids: readonly string[]): Promise<void> {
    const member = uids.map((uid) => this.dnOf(uid));
    await this.client.add(`cn=${cn},${GROUPS}`, { objectClass: 'groupOfNames', cn, member });
  }

  async changeGroup(cn: string, ...uids: readonly string[]): Promise<void> {
    const modification = new Attribute({ type: 'member', values: uids.map((uid) => this.dnOf(uid)) });
    await this.client.modify(`cn=${cn},${GROUPS}`, new Change({ operation: 'replace', modification }));
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  /** A configuration file for the test server. */
  file(changes: Readonly<Record<string, unknown>> = {}): string {
    const path = join(this.folder, `${Math.random()}.json`);
    const settings = {
      name: 'corp',
      url: this.url,
      bind_dn: 'cn=parley,ou=services,dc=example,dc=com',
      bind_password_file: 'secret',
      base_dn: PEOPLE,
      ...changes,
    };
    writeFileSync(path, JSON.stringify(settings));
    return path;
  }

  async stop(): Promise<void> {
    await this.client.unbind().catch(() => undefined);
    const isOver = once(this.process, 'exit');
    this.process.kill();
    await isOver;
    rmSync(this.folder, { recursive: true });
  }

  private dnOf(uid: string): string {
    return `uid=${uid.replaceAll(/([,+"\\<>;=#])/g, '\\$1')},${PEOPLE}`;
  }

  private async answers(): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const isThere = await new Promise<boolean>((resolve) => {
        const socket = connect(Number(this.port), '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        }).on('error', () => resolve(false));
      });
      if (isThere) return;
      await pause(50);
    }
    throw new Error('slapd does not answer.');
  }
}

function settingsIn(folder: string): string {
  return [
    ...['core', 'cosine', 'inetorgperson'].map((schema) => `include /etc/ldap/schema/${schema}.schema`),
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    'moduleload memberof',
    'moduleload ppolicy',
    `TLSCertificateFile ${FIRST.certPath}`,
    `TLSCertificateKeyFile ${FIRST.keyPath}`,
    'database mdb',
    'suffix "dc=example,dc=com"',
    `rootdn "${ROOT}"`,
    'rootpw root',
    `directory ${join(folder, 'data')}`,
    'overlay memberof',
    'overlay ppolicy',
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by * read',
    '',
  ].join('\n');
}
