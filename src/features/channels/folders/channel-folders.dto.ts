import { idList } from '../../../platform/http/parameters/id-list';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { ChannelFolderChanges } from './channel-folders.service';
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from './folder-name';

const optional = { optional: true } as const;

/** The service checks names, with error texts of its own for forbidden characters. */
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
