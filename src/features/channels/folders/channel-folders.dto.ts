import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { ChannelFolderChanges } from '../channel-folders.service';
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from './folder-name';

const optional = { optional: true } as const;

/** What a name may not hold is said by the service, in words of its own. */
const folderName = text({ maxLength: MAX_FOLDER_NAME_LENGTH, unchecked: true });

const description = text({ maxLength: MAX_FOLDER_DESCRIPTION_LENGTH });

/** Parameters of `GET /channel_folders`. */
export class ListChannelFoldersDto {
  @Parameter(json.boolean(), { default: false }) include_archived!: boolean;
}

/** Parameters of `POST /channel_folders/create`. */
export class CreateChannelFolderDto {
  @Parameter(folderName) name!: string;
  @Parameter(description) description!: string;
}

/** Parameters of `PATCH /channel_folders`. */
export class ReorderChannelFoldersDto {
  @Parameter(json.array(json.integer())) order!: number[];
}

/** Parameters of `PATCH /channel_folders/{channel_folder_id}`. */
export class UpdateChannelFolderDto {
  @PathParameter() channel_folder_id!: number;
  @Parameter(folderName, optional) name?: string;
  @Parameter(description, optional) description?: string;
  @Parameter(json.boolean(), optional) is_archived?: boolean;
}

export function toFolderChanges(dto: UpdateChannelFolderDto): ChannelFolderChanges {
  return { name: dto.name, description: dto.description, isArchived: dto.is_archived };
}
