import { kind, Setting } from 'parley/module';

/** What the operator may set. */
export class OncallSettings {
  @Setting('MODULE_ONCALL_FOLDER', kind.folder(), {
    section: 'On call',
    default: 'calendars',
    about: 'Folder of the calendar files (`.ics`). Whatever writes them there, such as cron, is up to you.',
  })
  readonly folder!: string;

  @Setting('MODULE_ONCALL_MINUTES', kind.integer(1, 1440), {
    section: 'On call',
    default: '5',
    about: 'How often the files are looked at, beside the moments at which somebody takes over.',
  })
  readonly minutes!: number;
}
