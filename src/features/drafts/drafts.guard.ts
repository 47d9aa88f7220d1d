import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccountDirectory, personalSetting } from '../users/users.module';
import { DraftsNotSynchronized } from './drafts.api';

/** Refuses callers who keep their drafts to themselves, before it looks at what they sent. */
@Injectable()
export class DraftsGuard implements CanActivate {
  constructor(private readonly accounts: AccountDirectory) {}

  canActivate(context: ExecutionContext): boolean {
    const { actor } = context.switchToHttp().getRequest<FastifyRequest>();
    const settings = actor ? this.accounts.existing(actor.userId).settings : {};
    if (!personalSetting(settings, 'enable_drafts_synchronization')) throw new DraftsNotSynchronized();
    return true;
  }
}
