import { ApiError } from '../../../platform/errors/api-error';

/** The name of a folder is empty, or only white space. */
export class FolderNameEmpty extends ApiError {
  constructor() {
    super("Channel folder name can't be empty.");
  }
}

/** The name of a folder holds a character that names may not hold; they are those of channel names. */
export class FolderNameCharacterInvalid extends ApiError {
  /** @param position of the first such character, counted from 1 in code points */
  constructor(position: number) {
    super(`Invalid character in channel folder name, at position ${position}.`);
  }
}

/** Another folder has the name; upper and lower case count as the same. */
export class FolderAlreadyExists extends ApiError {
  constructor(name: string) {
    super(`Channel folder '${name}' already exists`);
  }
}

/** Folders are archived empty. */
export class FolderInUse extends ApiError {
  constructor() {
    super('You need to remove all the channels from this folder to archive it.');
  }
}

/** An order has to name every folder once, archived ones included. */
export class InvalidFolderOrder extends ApiError {
  constructor() {
    super('Invalid order mapping.');
  }
}
