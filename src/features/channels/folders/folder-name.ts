import { FolderNameCharacterInvalid, FolderNameEmpty } from './channel-folders.errors';
import { isForbiddenInNames } from '../store/channel-name';

/** Longest name of a channel folder, in code points. */
export const MAX_FOLDER_NAME_LENGTH = 60;

/** Longest description of a channel folder, in code points. */
export const MAX_FOLDER_DESCRIPTION_LENGTH = 1024;

/** What must be unique about the name of a folder: its lower-case form. */
export function folderNameKey(name: string): string {
  return name.toLowerCase();
}

/**
 * Trims and checks the name of a channel folder; its length was checked before.
 * @throws FolderNameEmpty, FolderNameCharacterInvalid
 */
export function checkFolderName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new FolderNameEmpty();
  const position = [...trimmed].findIndex(isForbiddenInNames) + 1;
  if (position > 0) throw new FolderNameCharacterInvalid(position);
  return trimmed;
}
