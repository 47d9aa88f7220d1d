import type { ChannelFolder } from '../store/channel.entity';
import { idList } from '../../../platform/http/parameters/further-types';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import { defineEvent } from '../../../platform/events/server-event';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';

/** The name of a folder is empty, or only white space. */
class FolderNameEmpty extends refusal("Channel folder name can't be empty.") {}

/** The name of a folder holds a character that names may not hold; they are those of channel names. */
class FolderNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, counted from 1 in code points */
  constructor(position: number) {
    super(`Invalid character in channel folder name, at position ${position}.`);
  }
}

/** Longest name of a channel folder, in code points. */
export const MAX_FOLDER_NAME_LENGTH = 60;

/** Longest description of a channel folder, in code points. */
export const MAX_FOLDER_DESCRIPTION_LENGTH = 1024;

/** What must be unique about the name of a folder: its lower-case form. */
export function folderNameKey(name: string): string {
  return name.toLowerCase();
}

/**
 * Checks the name of a channel folder; its length was checked before.
 * @returns the name trimmed and composed
 * @throws FolderNameEmpty, FolderNameCharacterInvalid
 */
export function checkFolderName(given: string): string {
  const name = composedName(given);
  if (name === '') throw new FolderNameEmpty();
  const position = forbiddenPlace(name);
  if (position > 0) throw new FolderNameCharacterInvalid(position);
  return name;
}

/** What to change about a folder; what is not given stays as it is. */
export interface ChannelFolderChanges {
  readonly name?: string;
  /** Markdown. */
  readonly description?: string;
  readonly isArchived?: boolean;
}

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
type ChannelFolderChangesWire = Partial<
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

const optional = { optional: true } as const;

/** The service checks names, with its own error texts for forbidden characters. */
const folderName = text({ maxLength: MAX_FOLDER_NAME_LENGTH, unchecked: true });

const description = text({ maxLength: MAX_FOLDER_DESCRIPTION_LENGTH });

/** Parameters of `GET /channel_folders`. */
export class ListChannelFoldersDto {
  /** Whether to list archived folders as well. */
  @Parameter(json.boolean(), { default: false }) include_archived!: boolean;
}

/** Parameters of `POST /channel_folders/create`. */
export class CreateChannelFolderDto {
  /** Name of the folder. */
  @Parameter(folderName) name!: string;
  /** What is in the folder, in Markdown. */
  @Parameter(description) description!: string;
}

/** Parameters of `PATCH /channel_folders`. */
export class ReorderChannelFoldersDto {
  /** IDs of all folders, first to last. */
  @Parameter(idList(), { example: [12, 11] }) order!: number[];
}

/** Parameters of `PATCH /channel_folders/{channel_folder_id}`. */
export class UpdateChannelFolderDto {
  /** ID of the folder. */
  @PathParameter() channel_folder_id!: number;
  /** Another name. */
  @Parameter(folderName, optional) name?: string;
  /** What is in the folder, in Markdown. */
  @Parameter(description, optional) description?: string;
  /** Whether the folder is archived. */
  @Parameter(json.boolean(), optional) is_archived?: boolean;
}

/** What the parameters change; undefined stays as it is. */
export function toFolderChanges(dto: UpdateChannelFolderDto): ChannelFolderChanges {
  return { name: dto.name, description: dto.description, isArchived: dto.is_archived };
}

/** A folder was made. */
export const channelFolderAdded = defineEvent<{ channel_folder: ChannelFolderWire }>('channel_folder', 'add');

/** Some properties of a folder changed. */
export const channelFolderUpdated = defineEvent<{
  channel_folder_id: number;
  data: ChannelFolderChangesWire;
}>('channel_folder', 'update');

/** The folders stand in another order: the IDs of all of them, first to last. */
export const channelFoldersReordered = defineEvent<{ order: readonly number[] }>('channel_folder', 'reorder');

/** Another folder has the name; upper and lower case count as the same. */
export class FolderAlreadyExists extends ApiError {
  constructor(name: string) {
    super(`Channel folder '${name}' already exists`);
  }
}

/** Folders are archived empty. */
export class FolderInUse extends refusal(
  'You need to remove all the channels from this folder to archive it.',
) {}

/** An order has to name every folder once, archived ones included. */
export class InvalidFolderOrder extends refusal('Invalid order mapping.') {}
