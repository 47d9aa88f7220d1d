import type { ChannelFolder } from '../store/channel.entity';
import { idList } from '../../../platform/http/parameters/further-types';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import { defineEvent } from '../../../platform/events/server-event';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';

/** The name of a folder is empty or white space. */
class FolderNameEmpty extends refusal("Channel folder name can't be empty.") {}

/** The name of a folder contains a character that is also forbidden in channel names. */
class FolderNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, from 1, in code points */
  constructor(position: number) {
    super(`Invalid character in channel folder name, at position ${position}.`);
  }
}

/** Maximum length of a folder's name, in code points. */
export const MAX_FOLDER_NAME_LENGTH = 60;

/** Maximum length of a folder's description, in code points. */
export const MAX_FOLDER_DESCRIPTION_LENGTH = 1024;

/** The unique key of a folder's name: its lower-case form. */
export function folderNameKey(name: string): string {
  return name.toLowerCase();
}

/**
 * Validates the name of a channel folder, except for its length, which was checked before.
 * @returns the name, trimmed and in NFC
 * @throws FolderNameEmpty, FolderNameCharacterInvalid
 */
export function checkFolderName(given: string): string {
  const name = composedName(given);
  if (name === '') throw new FolderNameEmpty();
  const position = forbiddenPlace(name);
  if (position > 0) throw new FolderNameCharacterInvalid(position);
  return name;
}

/** Changes to a folder; omitted properties do not change. */
export interface ChannelFolderChanges {
  readonly name?: string;
  /** Markdown. */
  readonly description?: string;
  readonly isArchived?: boolean;
}

/** A channel folder as sent to clients. */
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

/** The properties of a folder that changed. */
type ChannelFolderChangesWire = Partial<
  Pick<ChannelFolderWire, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>;

/** The changed properties, as named in the event. */
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

/** The service validates names, because forbidden characters have their own error. */
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
  /** Description of the folder, in Markdown. */
  @Parameter(description) description!: string;
}

/** Parameters of `PATCH /channel_folders`. */
export class ReorderChannelFoldersDto {
  /** IDs of all folders, in order. */
  @Parameter(idList(), { example: [12, 11] }) order!: number[];
}

/** Parameters of `PATCH /channel_folders/{channel_folder_id}`. */
export class UpdateChannelFolderDto {
  /** ID of the folder. */
  @PathParameter() channel_folder_id!: number;
  /** New name of the folder. */
  @Parameter(folderName, optional) name?: string;
  /** New description of the folder, in Markdown. */
  @Parameter(description, optional) description?: string;
  /** Whether the folder is archived. */
  @Parameter(json.boolean(), optional) is_archived?: boolean;
}

/** The changes that the parameters ask for; undefined means no change. */
export function toFolderChanges(dto: UpdateChannelFolderDto): ChannelFolderChanges {
  return { name: dto.name, description: dto.description, isArchived: dto.is_archived };
}

/** A folder was created. */
export const channelFolderAdded = defineEvent<{ channel_folder: ChannelFolderWire }>('channel_folder', 'add');

/** Some properties of a folder changed. */
export const channelFolderUpdated = defineEvent<{
  channel_folder_id: number;
  data: ChannelFolderChangesWire;
}>('channel_folder', 'update');

/** The folders were reordered; contains the IDs of all of them, in order. */
export const channelFoldersReordered = defineEvent<{ order: readonly number[] }>('channel_folder', 'reorder');

/** Another folder has the name; names are case-insensitive. */
export class FolderAlreadyExists extends ApiError {
  constructor(name: string) {
    super(`Channel folder '${name}' already exists`);
  }
}

/** Only empty folders can be archived. */
export class FolderInUse extends refusal(
  'You need to remove all the channels from this folder to archive it.',
) {}

/** An order must contain every folder once, including archived ones. */
export class InvalidFolderOrder extends refusal('Invalid order mapping.') {}
