import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Audience } from '../../../platform/events/audience';
import { AccountDirectory, personalSetting } from '../../users/users.module';
import { TypingNotificationsDisabled, type TypingPerson } from './typing.api';

/** In a larger channel people type nearly all the time, which is not worth telling. */
const MAX_SUBSCRIBERS = 100;

/** Knows who lets others see their typing, and who wants to see that of others. */
@Injectable()
export class TypingPeopleService {
  constructor(private readonly accounts: AccountDirectory) {}

  /** @throws TypingNotificationsDisabled */
  checkSends(actor: Actor, messages: 'direct messages' | 'channel messages'): void {
    const setting =
      messages === 'direct messages'
        ? 'send_private_typing_notifications'
        : 'send_stream_typing_notifications';
    const settings = this.accounts.byId(actor.userId)?.settings ?? {};
    if (!personalSetting(settings, setting)) throw new TypingNotificationsDisabled(messages);
  }

  /** Whether a channel has too many subscribers for typing notifications. */
  areTooMany(subscribers: Audience): boolean {
    return subscribers.size > MAX_SUBSCRIBERS;
  }

  /** Those of the people who want to see others type. */
  receivers(userIds: Iterable<number>): Audience {
    return Audience.of(
      [...userIds].filter((id) => {
        const account = this.accounts.byId(id);
        return account?.isActive && personalSetting(account.settings, 'receives_typing_notifications');
      }),
    );
  }

  person(userId: number): TypingPerson {
    const account = this.accounts.byId(userId);
    return { user_id: userId, email: account ? this.accounts.apiEmail(account) : '' };
  }
}
