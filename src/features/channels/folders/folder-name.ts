import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import { ApiError, refusal } from '../../../platform/errors/api-error';

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
