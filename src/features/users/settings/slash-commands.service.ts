import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { personalSetting, type PersonalSettings } from '../accounts/personal-settings.api';
import { AccountChanges } from '../records/account-changes.service';
import { CommandWithoutSlash, NoSuchCommand } from './settings.api';
import { PersonalSettingsService } from './personal-settings.service';

/** The setting that a command changes, and the response. */
interface SettingCommand {
  readonly setting: Partial<PersonalSettings>;
  readonly changed: string;
  readonly unchanged: string;
}

const DARK = 2;
const LIGHT = 3;

const COMMANDS: ReadonlyMap<string, SettingCommand> = new Map([
  ['dark', colorScheme('dark', DARK, 'light')],
  ['light', colorScheme('light', LIGHT, 'dark')],
  ['fluid-width', width('fluid', true, 'fixed')],
  ['fixed-width', width('fixed', false, 'fluid')],
]);

/** Runs the slash commands with which people change their settings from a client's compose box. */
@Injectable()
export class SlashCommandsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly changes: AccountChanges,
    private readonly settings: PersonalSettingsService,
  ) {}

  /**
   * @param text the command with its slash, in lower case
   * @returns the text to show to the person
   * @throws CommandWithoutSlash, NoSuchCommand
   */
  async run(actor: Actor, text: string): Promise<string> {
    if (!text.startsWith('/')) throw new CommandWithoutSlash();
    const name = text.slice(1);
    // Clients measure the response time.
    if (name === 'ping') return '';
    const command = COMMANDS.get(name);
    if (!command) throw new NoSuchCommand(name);
    const { setting, changed, unchanged } = command;
    return this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, actor.userId);
      const chosen = JSON.parse(row.settings) as Record<string, unknown>;
      const differs = ([property, value]: [string, unknown]) =>
        personalSetting(chosen, property as keyof PersonalSettings) !== value;
      if (!Object.entries(setting).some(differs)) return unchanged;
      await this.settings.change(tx, row, setting);
      await this.changes.save(tx, row);
      return changed;
    });
  }
}

function colorScheme(name: string, value: number, opposite: string): SettingCommand {
  return {
    setting: { color_scheme: value },
    changed: `Changed to ${name} theme! To revert ${name} theme, type \`/${opposite}\`.`,
    unchanged: `You are still in ${name} theme.`,
  };
}

function width(name: string, isFluid: boolean, opposite: string): SettingCommand {
  return {
    setting: { fluid_layout_width: isFluid },
    changed: `Changed to ${name}-width mode! To revert ${name}-width mode, type \`/${opposite}-width\`.`,
    unchanged: `You are still in ${name} width mode.`,
  };
}
