import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ApiError, Injectable } from 'parley/module';
import { OncallSettings } from './oncall-settings';
import { type Turn, turnAt } from './calendar';

const MAX_BYTES = 1024 * 1024;

/** A calendar cannot be read; the sentence is for whoever set up the rotation. */
export class CalendarUnreadable extends ApiError {}

/** The folder of calendar files. */
@Injectable()
export class CalendarFolder {
  constructor(private readonly settings: OncallSettings) {}

  /** Who is on call by a calendar. @throws CalendarUnreadable */
  async turn(name: string, now: number): Promise<Turn> {
    if (!/^[\w-]+\.ics$/.test(name))
      throw new CalendarUnreadable('The calendar is a file such as "team.ics".');
    const file = join(resolve(this.settings.folder), name);
    const { size } = await stat(file).catch(() => ({ size: -1 }));
    if (size < 0) throw new CalendarUnreadable(`There is no calendar "${name}".`);
    if (size > MAX_BYTES) throw new CalendarUnreadable(`The calendar "${name}" has more than 1 MiB.`);
    const text = await readFile(file, 'utf8');
    try {
      return turnAt(text, now);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CalendarUnreadable(`"${name}" is no calendar: ${reason}`);
    }
  }
}
