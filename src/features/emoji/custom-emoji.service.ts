import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator } from '../../platform/actor';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../platform/hooks/hooks';
import { Config } from '../../platform/config/config';
import type { Transaction } from '../../platform/database/transaction.service';
import { InsufficientPermission } from '../../platform/errors/shared.errors';
import type { UploadedFile } from '../../platform/http/body/uploaded-file';
import { AuditLog } from '../audit/audit.module';
import { customEmojisPort } from '../messages/messages.module';
import { PermissionService } from '../user-groups/user-groups.module';
import { AccountDirectory, ActorTransactions } from '../users/users.module';
import { CustomEmojiDirectory } from './emoji.directory';
import { CustomEmoji, type CustomEmojiRecord } from './custom-emoji.entity';
import {
  customEmojiAdded,
  customEmojiById,
  customEmojiChanged,
  customEmojiDeactivated,
  customEmojiState,
  CustomEmojiUnknown,
  customEmojiWire,
  type CustomEmojiWire,
  EmojiNameTaken,
  INDIVIDUAL_EMOJI_CHANGES,
  MayNotOverrideEmoji,
  MayNotRemoveEmoji,
  MissingEmojiFile,
  pictureUrl,
} from './emoji.api';
import { CustomEmojiPicturesService } from './custom-emoji-pictures.service';
import { EMOJI_DATA_PATH } from './emoji-data';
import { isDefaultEmoji, newEmojiName } from './emoji-name';

/** The organization's own emoji: a name and a picture each. */
@Injectable()
export class CustomEmojiService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly directory: CustomEmojiDirectory,
    private readonly pictures: CustomEmojiPicturesService,
    private readonly permissions: PermissionService,
    private readonly accounts: AccountDirectory,
    private readonly audit: AuditLog,
    config: Config,
    hooks: Hooks,
  ) {
    hooks.provide(customEmojisPort, { named: (name) => this.rendered(name) });
    hooks.on(
      initialState,
      stateFor('realm_emoji', () => customEmojiState(this.list())),
    );
    hooks.on(
      initialState,
      stateFor('realm', () => ({ server_emoji_data_url: new URL(EMOJI_DATA_PATH, config.externalUrl).href })),
    );
  }

  /** All of them by their IDs, deactivated ones included. */
  list(): Record<string, CustomEmojiWire> {
    return customEmojiById(this.directory.all());
  }

  /**
   * @param asked the name; blanks in it become `_`
   * @param file null where none was sent
   * @throws ApiError of the name, InsufficientPermission, EmojiNameTaken, MissingEmojiFile, MayNotOverrideEmoji,
   *   ApiError of the picture or the upload
   */
  async add(actor: Actor, asked: string, file: UploadedFile | null): Promise<void> {
    const name = newEmojiName(asked);
    this.requireAddable(actor, name);
    if (file === null) throw new MissingEmojiFile();
    requireMayOverride(actor, name);
    const pictures = await this.pictures.store(actor, file);
    try {
      await this.transactions.runExclusive(actor, async (tx, current) => {
        this.requireAddable(current, name);
        requireMayOverride(current, name);
        const made = { name, ...pictures, authorId: actor.userId, isDeactivated: false };
        const id = await this.save(tx, made);
        this.audit.record(tx, current, 'emoji.created', { id }, { name });
      });
    } catch (error) {
      await this.pictures.discard(pictures);
      throw error;
    }
  }

  /**
   * Takes an emoji out of use. It is still shown where it was used, so its picture stays.
   * @throws CustomEmojiUnknown, MayNotRemoveEmoji
   */
  async deactivate(caller: Actor, name: string): Promise<void> {
    await this.transactions.runExclusive(caller, async (tx, actor) => {
      const emoji = this.directory.active(name);
      if (!emoji) throw new CustomEmojiUnknown(name);
      if (!isAdministrator(actor) && emoji.authorId !== actor.userId) throw new MayNotRemoveEmoji();
      const id = await this.save(tx, { ...emoji, isDeactivated: true });
      this.audit.record(tx, actor, 'emoji.deleted', { id, userId: emoji.authorId ?? undefined }, { name });
    });
  }

  /** @throws InsufficientPermission, EmojiNameTaken */
  private requireAddable(actor: Actor, name: string): void {
    if (!this.permissions.allowsInOrganization(actor, 'can_add_custom_emoji_group')) {
      throw new InsufficientPermission();
    }
    if (this.directory.active(name)) throw new EmojiNameTaken();
  }

  /** @returns its ID */
  private async save(
    tx: Transaction,
    emoji: Omit<CustomEmojiRecord, 'id'> & { readonly id?: number },
  ): Promise<number> {
    const isNew = emoji.id === undefined;
    const saved = await tx.repository(CustomEmoji).save(emoji);
    tx.touch('custom_emoji', [saved.id]);
    const others = this.directory.all().filter(({ id }) => id !== saved.id);
    const everybody = this.accounts.active;
    const one = customEmojiWire(saved);
    const change = isNew ? customEmojiAdded(one) : customEmojiDeactivated(one);
    tx.emit(change, everybody, { requires: INDIVIDUAL_EMOJI_CHANGES });
    const all = customEmojiById([...others, saved]);
    tx.emit(customEmojiChanged(all), everybody, { unless: INDIVIDUAL_EMOJI_CHANGES });
    return saved.id;
  }

  private rendered(name: string): { id: number; name: string; url: string } | undefined {
    const emoji = this.directory.active(name);
    return emoji && { id: emoji.id, name: emoji.name, url: pictureUrl(emoji) };
  }
}

/** Only administrators may override a name that every client knows. */
function requireMayOverride(actor: Actor, name: string): void {
  if (isDefaultEmoji(name) && !isAdministrator(actor)) throw new MayNotOverrideEmoji();
}
