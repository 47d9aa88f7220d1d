import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Hooks } from '../../../platform/hooks/hooks';
import { homePagePort, type HomePage } from '../../auth/auth.module';
import { ConsoleAssets } from './console-assets.service';

/** Leads people with a session from the bare address to the console; others see the front page. */
@Injectable()
export class ConsoleHomeService implements HomePage {
  constructor(assets: ConsoleAssets, hooks: Hooks) {
    if (assets.isThere) hooks.provide(homePagePort, this);
  }

  async show(request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    if (request.sessionId === null) return null;
    void reply.code(302).header('location', '/console');
    return '';
  }
}
