import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from '../installation';
import { fill, mountDisk } from '../disk';
import { lasting, type Scenarios } from '../scenario';

const databaseOf = ({ folder }: Installation) => join(folder, 'data/parley.db');

/** What befalls the file of SQLite, and the disk that it is on. */
export const STORAGE_FAULTS: Scenarios = {
  'disk-full': {
    about: 'no room is left on the disk of the database, on SQLite',
    needs: ['right to mount'],
    isQuick: true,
    prepare: async (installation) => {
      const disk = join(installation.folder, 'data');
      mkdirSync(disk, { mode: 0o700 });
      mountDisk(installation, disk, 32);
      const filler = join(disk, 'filler');
      return {
        site: await installation.start(1, {}),
        befall: lasting(
          () => fill(filler),
          () => rmSync(filler),
        ),
      };
    },
  },
  'file-gone': {
    about:
      'the database file, its log, and the file again are moved away or deleted, and put back, on SQLite',
    needs: [],
    isQuick: true,
    prepare: async (installation) => ({
      site: await installation.start(1, {}),
      befall: async (seconds) => {
        const file = databaseOf(installation);
        const aThird = () => pause((seconds * 1000) / 3);
        await pause(1_000);
        for (const path of [file, `${file}-wal`]) {
          renameSync(path, `${path}.away`);
          await aThird();
          renameSync(`${path}.away`, path);
          await pause(500);
        }
        linkSync(file, `${file}.kept`);
        unlinkSync(file);
        await aThird();
        renameSync(`${file}.kept`, file);
      },
    }),
  },
  'read-only': {
    about: 'the database file cannot be written any more, on SQLite',
    needs: ['file system with immutable files'],
    isQuick: true,
    prepare: async (installation) => {
      const site = await installation.start(1, {});
      const file = databaseOf(installation);
      const make = (flag: '+i' | '-i') => execFileSync('chattr', [flag, file, `${file}-wal`]);
      installation.atEnd(() => make('-i'));
      return {
        site,
        befall: lasting(
          () => make('+i'),
          () => make('-i'),
        ),
      };
    },
  },
};
