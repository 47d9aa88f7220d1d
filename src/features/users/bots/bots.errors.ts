import { ApiError } from '../../../platform/errors/api-error';

/** A bot asks for a key that it never stored. */
export class NoSuchStorageKey extends ApiError {
  constructor() {
    super('Key does not exist.');
  }
}

/** A bot wants to store more than it may. */
export class BotStorageFull extends ApiError {
  constructor(excess: number, limit: number) {
    super(`Request exceeds storage limit by ${excess} characters. The limit is ${limit} characters.`);
  }
}

/** Storage is for bots. */
export class BotsOnly extends ApiError {
  constructor() {
    super('Must be a bot user');
  }
}

/** The number of a format for outgoing webhooks is none. */
export class InvalidInterfaceType extends ApiError {
  constructor() {
    super('Invalid interface type');
  }
}
