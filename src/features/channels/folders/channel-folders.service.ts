import {
  channelFolderAdded,
  type ChannelFolderChanges,
  channelFolderChangesWire,
  channelFoldersReordered,
  channelFolderUpdated,
  channelFolderWire,
  type ChannelFolderWire,
  checkFolderName,
  FolderAlreadyExists,
  FolderInUse,
  folderNameKey,
  InvalidFolderOrder,
} from './channel-folders.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AuditLog, differences } from '../../audit/audit.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';
import { ChannelDirectory } from '../store/channel.directory';
import { ChannelFolder } from '../store/channel.entity';
import { InvalidChannelFolder } from '../store/channels.api';
import { DescriptionRenderer } from '../store/channel-records.service';

/**
 * Stores the folders in which clients group channels. Everyone may read them; the controller decides who may write.
 * Writes are exclusive, so names and order are checked against all other folders.
 */
@Injectable()
export class ChannelFoldersService {
  constructor(
    private readonly database: Database,
    private readonly transactions: ActorTransactions,
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly renderer: DescriptionRenderer,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** In order. */
  async list(includeArchived: boolean, db: Queryable = this.database.read): Promise<ChannelFolderWire[]> {
    const folders = await this.all(db);
    return folders.filter(({ isArchived }) => includeArchived || !isArchived).map(channelFolderWire);
  }

  /** Creates a folder after all others. @returns its ID. @throws errors of the name, FolderAlreadyExists */
  async create(actor: Actor, name: string, description: string): Promise<number> {
    const checked = checkFolderName(name);
    const renderedDescription = this.renderer.render(description, actor);
    return this.transactions.runForAdministrator(actor, async (tx, current) => {
      const folders = await this.all(tx);
      checkFree(checked, folders);
      const folder = await tx.repository(ChannelFolder).save({
        name: checked,
        nameKey: folderNameKey(checked),
        description,
        renderedDescription,
        creatorId: actor.userId,
        dateCreated: this.clock.nowSeconds(),
        position: Math.max(-1, ...folders.map(({ position }) => position)) + 1,
        isArchived: false,
      });
      this.audit.record(tx, current, 'channel_folder.created', { id: folder.id }, { name: checked });
      tx.emit(channelFolderAdded({ channel_folder: channelFolderWire(folder) }), this.accounts.active);
      return folder.id;
    });
  }

  /**
   * Changes a folder. Values equal to the current ones change nothing.
   * @throws InvalidChannelFolder, errors of the name, FolderAlreadyExists, FolderInUse
   */
  async update(actor: Actor, folderId: number, changes: ChannelFolderChanges): Promise<void> {
    const { description, isArchived } = changes;
    const name = changes.name === undefined ? undefined : checkFolderName(changes.name);
    const rendered = description === undefined ? undefined : this.renderer.render(description, actor);
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const folders = await this.all(tx);
      const before = folders.find(({ id }) => id === folderId);
      if (!before) throw new InvalidChannelFolder();
      const after: ChannelFolder = {
        ...before,
        ...(name === undefined ? {} : { name, nameKey: folderNameKey(name) }),
        ...(rendered === undefined ? {} : { description: description ?? '', renderedDescription: rendered }),
        isArchived: isArchived ?? before.isArchived,
      };
      checkFree(
        after.name,
        folders.filter((folder) => folder !== before),
      );
      if (after.isArchived && !before.isArchived) this.checkEmpty(folderId);
      await this.store(tx, current, before, after);
    });
  }

  /** @param order IDs of all folders, including archived ones. @throws InvalidFolderOrder */
  async reorder(actor: Actor, order: readonly number[]): Promise<void> {
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const folders = await this.all(tx);
      const ids = folders.map(({ id }) => id);
      if (order.length !== ids.length || !ids.every((id) => order.includes(id))) {
        throw new InvalidFolderOrder();
      }
      if (ids.join() === order.join()) return;
      for (const [position, id] of order.entries()) {
        await tx.repository(ChannelFolder).update({ id }, { position });
      }
      this.audit.record(tx, current, 'channel_folder.reordered', {}, { order });
      tx.emit(channelFoldersReordered({ order }), this.accounts.active);
    });
  }

  private all(db: Queryable): Promise<ChannelFolder[]> {
    return db.repository(ChannelFolder).find({ order: { position: 'ASC', id: 'ASC' } });
  }

  private checkEmpty(folderId: number): void {
    if (this.channels.all().some((channel) => channel.folderId === folderId)) throw new FolderInUse();
  }

  private async store(
    tx: Transaction,
    actor: Actor,
    before: ChannelFolder,
    after: ChannelFolder,
  ): Promise<void> {
    const data = channelFolderChangesWire(before, after);
    if (Object.keys(data).length === 0) return;
    await tx.repository(ChannelFolder).save(after);
    const details = differences(auditedFolder(before), auditedFolder(after)) ?? {};
    this.audit.record(tx, actor, 'channel_folder.changed', { id: after.id }, details);
    tx.emit(channelFolderUpdated({ channel_folder_id: after.id, data }), this.accounts.active);
  }
}

function auditedFolder({ name, description, isArchived }: ChannelFolder) {
  return { name, description, is_archived: isArchived };
}

/** Archived folders keep their names, so that they can be unarchived. */
function checkFree(name: string, others: readonly ChannelFolder[]): void {
  const key = folderNameKey(name);
  if (others.some(({ nameKey }) => nameKey === key)) throw new FolderAlreadyExists(name);
}
