import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { CustomEmoji, type CustomEmojiRecord } from './custom-emoji.entity';
import { EMOJI_DATA_PATH } from './emoji-data';
import {
  customEmojiAdded,
  customEmojiById,
  customEmojiChanged,
  customEmojiDeactivated,
  customEmojiState,
  CustomEmojiUnknown,
  customEmojiWire,
  type CustomEmojiWire,
  EmojiNameEndsWrongly,
  EmojiNameHoldsWrongCharacters,
  EmojiNameTaken,
  INDIVIDUAL_EMOJI_CHANGES,
  MayNotOverrideEmoji,
  MayNotRemoveEmoji,
  MissingEmojiFile,
  MissingEmojiName,
  NoSuchEmojiPicture,
  pictureFiles,
  pictureUrl,
} from './emoji.api';
import { CustomEmojiDirectory } from './emoji.directory';
import { type Actor, isAdministrator, personOf } from '../../platform/actor';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Config } from '../../platform/config/config';
import type { Transaction } from '../../platform/database/transaction.service';
import { codeOf, EXTRA_EMOJI } from '../../platform/emoji/emoji';
import { InsufficientPermission } from '../../platform/errors/shared.errors';
import { FileStore, type StoredFile } from '../../platform/files/file-store';
import { Hooks } from '../../platform/hooks/hooks';
import type { UploadedFile } from '../../platform/http/body/uploaded-file';
import type { PictureRecipe } from '../../platform/pictures/picture-limits';
import { Pictures } from '../../platform/pictures/pictures';
import { AuditLog } from '../audit/audit.module';
import { customEmojisPort } from '../messages/messages.module';
import { PermissionService } from '../user-groups/user-groups.module';
import { AccountDirectory, ActorTransactions } from '../users/users.module';

/** Maximum size of an uploaded file, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Width and height of every emoji, in pixels. */
const SIDE = 64;

/** Upright, uncropped, centered in a transparent square, without metadata. */
const FORM = { width: SIDE, height: SIDE, fit: 'contain' } as const;

/** The first frame, and all frames if it is animated. */
const RECIPE: PictureRecipe<'still' | 'moving'> = {
  still: { ...FORM, format: 'png' },
  moving: { ...FORM, isAnimated: true, format: 'gif' },
};

/** The columns of an emoji's row about its images. */
type StoredPictures = Pick<CustomEmojiRecord, 'fileKey' | 'isAnimated'>;

/** The image files of emoji. */
@Injectable()
export class CustomEmojiPicturesService {
  constructor(
    private readonly files: FileStore,
    private readonly pictures: Pictures,
  ) {}

  /**
   * Decodes a file and stores the resulting emoji; slow, so call it before a transaction.
   * @throws ApiError of the image or the upload
   */
  async store(actor: Actor, file: UploadedFile): Promise<StoredPictures> {
    const content = await buffer(file.stream(MAX_BYTES));
    const { still, moving } = await this.pictures.make(personOf(actor), content, RECIPE);
    const stored = { fileKey: randomBytes(20).toString('hex'), isAnimated: moving !== null };
    const names = pictureFiles(stored);
    await this.files.save(pathOf(names.picture), (moving ?? still)!);
    if (names.still !== null) await this.files.save(pathOf(names.still), still!);
    return stored;
  }

  /** Deletes images that are not used by an emoji. */
  async discard(pictures: StoredPictures): Promise<void> {
    for (const path of picturePaths(pictures)) await this.files.delete(path);
  }

  /** Opens the file for the last segment of an image's URL. @throws NoSuchEmojiPicture */
  async open(fileName: string): Promise<StoredFile> {
    const isOurs = /^[0-9a-f]{40}(\.png|\.gif|-still\.png)$/.test(fileName);
    const file = isOurs ? await this.files.open(pathOf(fileName)) : null;
    if (!file) throw new NoSuchEmojiPicture();
    return file;
  }
}

/** The paths of an emoji's images in the file store. */
export function picturePaths(pictures: Parameters<typeof pictureFiles>[0]): string[] {
  const { picture, still } = pictureFiles(pictures);
  return still === null ? [pathOf(picture)] : [pathOf(picture), pathOf(still)];
}

function pathOf(fileName: string): string {
  return `emoji/${fileName}`;
}

/**
 * The name of a new emoji: trimmed, with spaces replaced by `_`.
 * @throws MissingEmojiName, EmojiNameEndsWrongly, EmojiNameHoldsWrongCharacters
 */
export function newEmojiName(asked: string): string {
  const name = asked.trim().replaceAll(' ', '_');
  if (name === '') throw new MissingEmojiName();
  if (!/^[a-z0-9_-]+$/.test(name)) throw new EmojiNameHoldsWrongCharacters();
  if (!/[a-z0-9]$/.test(name)) throw new EmojiNameEndsWrongly();
  return name;
}

/** Whether the name belongs to an emoji that every organization has. */
export function isDefaultEmoji(name: string): boolean {
  return name === EXTRA_EMOJI.name || codeOf(name) !== undefined;
}

/** The organization's custom emoji: a name and an image each. */
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

  /** All emoji by ID, including deactivated ones. */
  list(): Record<string, CustomEmojiWire> {
    return customEmojiById(this.directory.all());
  }

  /**
   * @param asked the name; spaces in it become `_`
   * @param file null if none was sent
   * @throws ApiError of the name, InsufficientPermission, EmojiNameTaken, MissingEmojiFile, MayNotOverrideEmoji,
   * ApiError of the image or the upload
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
   * Deactivates an emoji. It is still shown where it was used, so its image is kept.
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
