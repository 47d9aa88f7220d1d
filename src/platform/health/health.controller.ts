import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { NotRateLimited, Public, WithoutDatabase } from '../http/decorators';
import { HealthService } from './health.service';

/** For service managers and load balancers. */
@Controller('health')
@Public()
@NotRateLimited()
@WithoutDatabase('never')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** The process runs and answers; if this fails, it should be restarted. */
  @Get('live')
  live() {
    return { status: 'live' };
  }

  /**
   * Requests may be sent here.
   * @answersAlike 503 requests may not be sent here; the answer says why
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const { checks, problems, warnings } = await this.health.readiness();
    const isReady = problems.length === 0;
    if (!isReady) reply.status(HttpStatus.SERVICE_UNAVAILABLE);
    return {
      status: isReady ? 'ready' : 'not ready',
      ...(checks && { checks }),
      ...(!isReady && { problems }),
      ...(warnings.length > 0 && { warnings }),
    };
  }
}
