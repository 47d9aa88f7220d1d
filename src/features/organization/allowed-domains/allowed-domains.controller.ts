import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope, OwnerOnly } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { AddDomainDto, type AllowedDomainWire, ChangeDomainDto, DomainPathDto } from './allowed-domains.api';
import { AllowedDomainsService } from './allowed-domains.service';

/** Domains to which new addresses are restricted, if the organization restricts them. */
@Controller('api/v1/realm/domains')
@NeedsScope('read', 'administer')
export class AllowedDomainsController {
  constructor(private readonly domains: AllowedDomainsService) {}

  /** Lists the allowed domains for new addresses. */
  @Get()
  list(): { domains: AllowedDomainWire[] } {
    return { domains: this.domains.list() };
  }

  /** Adds an allowed domain for new addresses; the response contains its ID and name. */
  @Post()
  @OwnerOnly()
  async add(
    @CurrentActor() actor: Actor,
    @Parameters() dto: AddDomainDto,
  ): Promise<{ new_domain: (number | string)[] }> {
    const { id, domain } = await this.domains.add(actor, dto.domain, dto.allow_subdomains);
    return { new_domain: [id, domain] };
  }

  /** Changes whether subdomains of an allowed domain are allowed as well. */
  @Patch(':domain')
  @OwnerOnly()
  change(@CurrentActor() actor: Actor, @Parameters() dto: ChangeDomainDto): Promise<void> {
    return this.domains.change(actor, dto.domain, dto.allow_subdomains);
  }

  /** Removes an allowed domain for new addresses. Without the last one, addresses are no longer restricted. */
  @Delete(':domain')
  @OwnerOnly()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: DomainPathDto): Promise<void> {
    return this.domains.remove(actor, dto.domain);
  }
}
