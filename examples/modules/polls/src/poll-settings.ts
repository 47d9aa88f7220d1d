import { kind, Setting } from 'parley/module';

/** What the operator may set. */
export class PollSettings {
  @Setting('MODULE_POLLS_MAX_DAYS', kind.integer(1, 365), {
    section: 'Polls',
    default: '30',
    about: 'Most days that a poll may be open.',
  })
  readonly maxDays!: number;
}
