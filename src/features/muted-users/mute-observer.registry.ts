import { Injectable } from '@nestjs/common';

/** What a higher feature does once somebody was muted. Called after the commit, before the caller is answered. */
export interface MuteObserver {
  userMuted(userId: number, mutedUserId: number): Promise<void>;
}

/** Where observers of muting register themselves. */
@Injectable()
export class MuteObserverRegistry implements MuteObserver {
  private readonly observers: MuteObserver[] = [];

  register(observer: MuteObserver): void {
    this.observers.push(observer);
  }

  async userMuted(userId: number, mutedUserId: number): Promise<void> {
    for (const observer of this.observers) await observer.userMuted(userId, mutedUserId);
  }
}
