import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { THE_SERVER } from '../../platform/actor';
import { NotLoggedIn, Unauthorized } from '../../platform/errors/shared.errors';
import { Directories } from '../../platform/events/directories';
import { Hooks } from '../../platform/hooks/hooks';
import { callerCheckPort } from '../users/users.module';
import { BasicAuthGuard } from './authentication.guard';
import { BrowserAdmission } from './browser-admission.service';

/** Checks callers again whose requests were admitted a while ago and are still waiting. */
@Injectable()
export class CallerCheckService {
  constructor(
    private readonly directories: Directories,
    private readonly guard: BasicAuthGuard,
    private readonly browsers: BrowserAdmission,
    hooks: Hooks,
  ) {
    hooks.provide(callerCheckPort, { check: (request) => this.check(request) });
  }

  private async check(request: FastifyRequest): Promise<void> {
    await this.directories.catchUpWithLog();
    if (request.sessionId !== null) return this.browsers.readmit(request);
    const { authorization } = request.headers;
    if (authorization === undefined) throw new NotLoggedIn();
    const { actor } = request;
    const { account } = this.guard.authenticate(authorization, () => actor ?? THE_SERVER);
    // The address may belong to another account by now.
    if (account.id !== actor?.userId) throw new Unauthorized('Invalid API key');
  }
}
