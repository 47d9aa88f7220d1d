import type { ChannelFolder } from '../store/channel-folder.entity';

/** A channel folder as the interface shows it. */
export interface ChannelFolderWire {
  readonly id: number;
  readonly name: string;
  /** Folders with lower numbers come first. */
  readonly order: number;
  readonly description: string;
  readonly rendered_description: string;
  /** UNIX seconds. */
  readonly date_created: number;
  readonly creator_id: number | null;
  readonly is_archived: boolean;
}

/** The record of a channel folder. */
export function channelFolderWire(folder: ChannelFolder): ChannelFolderWire {
  return {
    id: folder.id,
    name: folder.name,
    order: folder.position,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    date_created: folder.dateCreated,
    creator_id: folder.creatorId,
    is_archived: folder.isArchived,
  };
}

/** Those properties of a folder that a change touched. */
export type ChannelFolderChangesWire = Partial<
  Pick<ChannelFolderWire, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>;

/** The properties that differ, as the event of a change names them. */
export function channelFolderChangesWire(
  before: ChannelFolder,
  after: ChannelFolder,
): ChannelFolderChangesWire {
  return {
    ...(before.name === after.name ? {} : { name: after.name }),
    ...(before.description === after.description
      ? {}
      : { description: after.description, rendered_description: after.renderedDescription }),
    ...(before.isArchived === after.isArchived ? {} : { is_archived: after.isArchived }),
  };
}
