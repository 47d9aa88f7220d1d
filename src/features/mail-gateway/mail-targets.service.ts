import { Injectable } from '@nestjs/common';
import { type MailOption, readChannelLocalPart } from './mail-head';
import { hashOf, ReplyAddressService, type ReplyTarget } from './reply-addresses.service';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database.service';
import { Directories } from '../../platform/events/directories';
import { ChannelEmailService, type MailDestination } from '../channels/channels.module';

/** Destination of a mail, with the values to store. */
export interface MailTarget {
  /** `channel` or `reply`, a colon, and the token or its hash. */
  readonly target: string;
  readonly options: readonly MailOption[];
  readonly place: MailPlace;
}

/** Current destination of a mail. */
export type MailPlace =
  | { readonly kind: 'channel'; readonly destination: MailDestination }
  | { readonly kind: 'reply'; readonly reply: ReplyTarget };

/** Finds the channel or message that an address refers to. */
@Injectable()
export class MailTargets {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly directories: Directories,
    private readonly channels: ChannelEmailService,
    private readonly replies: ReplyAddressService,
  ) {}

  /** Whether an address has the format of ours, even if it does not exist. */
  isOurs(address: string): boolean {
    const local = this.config.gatewayLocal(address);
    return local !== null && (this.replies.tokenIn(local) !== null || readChannelLocalPart(local) !== null);
  }

  /**
   * Finds the destination of an address.
   * @returns null if the address does not exist or has expired
   * @throws ApiError if mail may no longer be posted there
   */
  async find(address: string): Promise<MailTarget | null> {
    const local = this.config.gatewayLocal(address);
    if (local === null) return null;
    // Another node may have created or revoked the address.
    await this.directories.catchUp();
    const token = this.replies.tokenIn(local);
    if (token !== null) {
      const reply = await this.replies.find(this.database.read, token);
      return reply && { target: `reply:${hashOf(token)}`, options: [], place: { kind: 'reply', reply } };
    }
    const channel = readChannelLocalPart(local);
    const destination = channel && (await this.channels.destinationOf(channel.token));
    if (!channel || !destination) return null;
    return {
      target: `channel:${channel.token}`,
      options: channel.options,
      place: { kind: 'channel', destination },
    };
  }

  /** Finds the destination again for a mail that was accepted earlier. @throws ApiError */
  async findAgain(target: string): Promise<MailPlace | null> {
    await this.directories.catchUp();
    const [kind, key = ''] = target.split(':');
    if (kind === 'reply') {
      const reply = await this.replies.findAgain(this.database.read, key);
      return reply && { kind: 'reply', reply };
    }
    const destination = await this.channels.destinationOf(key);
    return destination && { kind: 'channel', destination };
  }
}
