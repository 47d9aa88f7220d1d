import { Injectable } from '@nestjs/common';
import { initialState, stateFor, type StateReader } from '../platform/client-state/initial-state.hooks';
import type { Transaction } from '../platform/database/transaction.service';
import { Hooks } from '../platform/hooks/hooks';
import { isNameOf, requireModuleName } from '../platform/modules/module-problems';
import { LoadedModules } from '../platform/modules/load-modules';
import { command, operatorCommand } from '../platform/operator/operator-commands';
import type { Queryable } from '../platform/sql/queryable';
import {
  type GroupMembershipChange,
  groupMembershipChanged,
} from '../features/user-groups/user-groups.module';
import { type Integration, integrationsSought } from '../features/integrations/integrations.module';
import { invariantsSought } from '../features/operations/operations.module';
import { messageEdited, messagesDeleted, messageSent } from '../features/messages/messages.module';
import { accountActivityChanged, personalDataRemoved } from '../features/users/users.module';

/** A message that was just sent or edited. */
export interface MessageMoment {
  readonly id: number;
  readonly senderId: number;
  readonly isDirect: boolean;
  /** HTML. */
  readonly rendered: string;
}

/** Users added to and removed from a group. */
export interface MembershipChange {
  readonly groupId: number;
  readonly addedUserIds: readonly number[];
  readonly removedUserIds: readonly number[];
}

/**
 * Lets modules react to what happens: they register listeners in the constructors of their services. Listeners with a
 * transaction act within it, and an error rolls all of it back, so they must be fast and not use the network.
 */
@Injectable()
export class Moments {
  /** Keys of the initial state. */
  private readonly keys = new Set<string>();

  constructor(
    private readonly hooks: Hooks,
    private readonly modules: LoadedModules,
  ) {}

  /** A message was sent. This runs for every message, so it must be fast. */
  onMessageSent(listener: (tx: Transaction, message: MessageMoment) => Promise<void>): void {
    this.hooks.on(messageSent, (tx, { messageId: id, sender, isDirect, rendered }) =>
      listener(tx, { id, senderId: sender.id, isDirect, rendered: rendered.html }),
    );
  }

  /** The content of a message was edited. */
  onMessageEdited(listener: (tx: Transaction, message: MessageMoment) => Promise<void>): void {
    this.hooks.on(messageEdited, (tx, { messageId: id, sender, isDirect, rendered }) =>
      listener(tx, { id, senderId: sender.id, isDirect, rendered: rendered.html }),
    );
  }

  /**
   * Messages are about to be deleted: rows that refer to them must be deleted too. At most 500 at a time, ascending.
   */
  onMessagesDeleted(listener: (tx: Transaction, messageIds: readonly number[]) => Promise<void>): void {
    this.hooks.on(messagesDeleted, listener);
  }

  /** An account is deactivated or reactivated. */
  onAccountActivity(listener: (tx: Transaction, userId: number, isActive: boolean) => Promise<void>): void {
    this.hooks.on(accountActivityChanged, (tx, { id, isActive }) => listener(tx, id, isActive));
  }

  /** An account is deleted permanently: delete the person's own data. */
  onAccountDeleted(listener: (tx: Transaction, userId: number) => Promise<void>): void {
    this.hooks.on(personalDataRemoved, listener);
  }

  /** The direct members of a group change. */
  onMembershipChanged(listener: (tx: Transaction, change: MembershipChange) => Promise<void>): void {
    this.hooks.on(groupMembershipChanged, (tx, change) => listener(tx, membershipChange(change)));
  }

  /**
   * A client registers: returns a part of its initial state. Read only through `db`, so that all of the state is from
   * the same moment.
   * @param name key of the answer and type in `fetch_event_types`, such as `module_polls`
   */
  onRegister(name: string, read: (db: Queryable, reader: StateReader) => Promise<unknown>): void {
    this.requireName(name);
    if (this.keys.has(name)) throw new Error(`"${name}" is already part of the registration response.`);
    this.keys.add(name);
    this.hooks.on(
      initialState,
      stateFor(name, async (db, { reader }) => (reader ? { [name]: await read(db, reader) } : {})),
    );
  }

  /**
   * A service calls a bot's webhook, `/api/v1/external/module_polls`, and the integration turns the request into a
   * message.
   * @param integration its name begins with `module_` and the name of the module
   */
  onWebhook(integration: Integration): void {
    for (const name of [integration.name, ...(integration.aliases ?? [])]) this.requireName(name);
    this.hooks.on(integrationsSought, () => [integration]);
  }

  /**
   * The operator runs `parley check`: verifies an invariant of the module's tables.
   * @param name such as `module_polls_options`
   * @param about the invariant, as a sentence
   * @param find returns violations, one sentence each; about twenty are enough
   */
  onCheck(name: string, about: string, find: (db: Queryable) => Promise<string[]>): void {
    this.requireName(name);
    this.hooks.on(invariantsSought, () => ({ name, about, find }));
  }

  /**
   * The operator runs `parley module run <module> <command> [input as JSON]`.
   * @param module name of the module
   * @param input a class with a validated field for each key of the input
   * @param run its result is shown as JSON
   */
  onCommand<Input extends object>(
    module: string,
    name: string,
    input: new () => Input,
    run: (input: Input) => Promise<object>,
  ): void {
    if (!this.modules.find(module)) throw new Error(`No module "${module}" with commands is loaded.`);
    this.hooks.on(
      operatorCommand,
      command(`module run ${module} ${name}`, input, (given) => run(given)),
    );
  }

  private requireName(name: string): void {
    requireModuleName(name);
    if (this.modules.all.some(({ definition }) => isNameOf(definition.name, name))) return;
    throw new Error(`"${name}" starts with the name of a module that is not loaded.`);
  }
}

function membershipChange({ group, addedUserIds, removedUserIds }: GroupMembershipChange): MembershipChange {
  return { groupId: group.id, addedUserIds, removedUserIds };
}
