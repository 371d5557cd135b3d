# Every site of an account gets the same settings: one resource, one instance a site.
#
#   npx hostwright sandbox --port 4010 --scenario sites:200 &
terraform {
  required_version = ">= 1.11"
  required_providers {
    hostwright = { source = "hostwright/hostwright" }
  }
}

data "hostwright_account" "this" {}

locals {
  sites = data.hostwright_account.this.sites # or your own list: { "site-id" = { name = "shop" }, ... }
}

import {
  for_each = local.sites
  to       = hostwright_site.all[each.key]
  id       = each.key
}

resource "hostwright_site" "all" {
  for_each = local.sites
  name     = each.value.name
  caching = {
    cache_expiration = 7200
    vary_webp        = true
  }
  # `deletion` is not written, so `terraform destroy` is refused.
}

output "not_ready" {
  value = { for id, site in hostwright_site.all : site.name => site.waiting_for if site.status != "ready" }
}
