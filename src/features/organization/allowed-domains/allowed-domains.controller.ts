import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope, OwnerOnly } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { AddDomainDto, type AllowedDomainWire, ChangeDomainDto, DomainPathDto } from './allowed-domains.api';
import { AllowedDomainsService } from './allowed-domains.service';

/** Domains that the addresses of new people must belong to, while the organization restricts addresses. */
@Controller('api/v1/realm/domains')
@NeedsScope('read', 'administer')
export class AllowedDomainsController {
  constructor(private readonly domains: AllowedDomainsService) {}

  /** Lists the domains that new addresses may have. */
  @Get()
  list(): { domains: AllowedDomainWire[] } {
    return { domains: this.domains.list() };
  }

  /** Adds a domain that new addresses may have; the answer has its ID and its name. */
  @Post()
  @OwnerOnly()
  async add(
    @CurrentActor() actor: Actor,
    @Parameters() dto: AddDomainDto,
  ): Promise<{ new_domain: (number | string)[] }> {
    const { id, domain } = await this.domains.add(actor, dto.domain, dto.allow_subdomains);
    return { new_domain: [id, domain] };
  }

  /** Says whether addresses of domains below one that new addresses may have are taken, too. */
  @Patch(':domain')
  @OwnerOnly()
  change(@CurrentActor() actor: Actor, @Parameters() dto: ChangeDomainDto): Promise<void> {
    return this.domains.change(actor, dto.domain, dto.allow_subdomains);
  }

  /** Removes a domain that new addresses may have. Without the last one, addresses are no longer restricted. */
  @Delete(':domain')
  @OwnerOnly()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: DomainPathDto): Promise<void> {
    return this.domains.remove(actor, dto.domain);
  }
}
