import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fill, mountDisk } from '../disk';
import { giveToPostgres } from '../../support/postgres-cluster';
import { lasting, startPostgres, type Clients, type Scenarios } from '../scenario';
import { stored } from '../stored';

/** What is wrong where writes are to be refused with a code, and nothing else is to be. */
function wrongRefusals({ writers, readers }: Clients, expected: string): string[] {
  const told = new Set(writers.flatMap(({ answers }) => [...answers.refusals.keys()]));
  const complaints: string[] = [];
  if (!told.has(expected)) complaints.push(`No write was refused with ${expected}.`);
  told.delete(expected);
  // On a slow machine, all connections may be in use.
  told.delete('SERVER_BUSY');
  if (told.size > 0) complaints.push(`Writes were refused with ${[...told].join(', ')}.`);
  // To register is to write.
  const isReading = (routes: ReadonlySet<string>) => [...routes].some((route) => route !== '/register');
  const refusals = readers.flatMap(({ answers }) => [...answers.refusals]);
  const reading = new Set(refusals.filter(([, routes]) => isReading(routes)).map(([code]) => code));
  if (reading.size > 0) complaints.push(`Reading was refused with ${[...reading].join(', ')}.`);
  return complaints;
}

/** What befalls the storage of PostgreSQL. */
export const POSTGRES_STORAGE_FAULTS: Scenarios = {
  'disk-full-postgres': {
    about: 'no room is left for the tables of PostgreSQL, though there is for its log',
    needs: ['PostgreSQL', 'right to mount'],
    isQuick: true,
    prepare: async (installation) => {
      const postgres = await startPostgres(installation);
      const disk = join(installation.folder, 'tables');
      mkdirSync(disk);
      mountDisk(installation, disk, 64);
      giveToPostgres(disk);
      await postgres.query(
        `CREATE TABLESPACE small LOCATION '${disk}'`,
        'CREATE DATABASE parley TABLESPACE small',
      );
      const filler = join(disk, 'filler');
      const site = await installation.start(2, { DATABASE_URL: postgres.url('parley') });
      return {
        site,
        befall: lasting(
          () => fill(filler),
          async () => {
            await stored(site);
            rmSync(filler);
          },
        ),
        examine: (clients) => Promise.resolve(wrongRefusals(clients, 'STORAGE_FULL')),
      };
    },
  },
  'read-only-postgres': {
    about: 'PostgreSQL takes no writes any more, as it does where its storage is read-only or nearly full',
    needs: ['PostgreSQL'],
    isQuick: true,
    prepare: async (installation) => {
      const postgres = await startPostgres(installation);
      const set = (change: string) => postgres.query(`ALTER SYSTEM ${change}`, 'SELECT pg_reload_conf()');
      const site = await installation.start(2, { DATABASE_URL: postgres.url() });
      return {
        site,
        befall: lasting(
          () => set('SET default_transaction_read_only = on'),
          async () => {
            await stored(site);
            await set('RESET default_transaction_read_only');
          },
        ),
        examine: (clients) => Promise.resolve(wrongRefusals(clients, 'DATABASE_UNAVAILABLE')),
      };
    },
  },
};
