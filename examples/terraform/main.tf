# An existing site comes under Terraform, and two of its settings change.
#
#   npx hostwright terraform install
#   npx hostwright sandbox --port 4010 &
#   export HOSTWRIGHT_API_URL=http://127.0.0.1:4010 HOSTWRIGHT_TOKEN=sandbox-api-key HOSTWRIGHT_ACCOUNT=acc-acme
#   terraform init && terraform apply
terraform {
  required_version = ">= 1.11" # write-only attributes
  required_providers {
    hostwright = { source = "hostwright/hostwright" }
  }
}

provider "hostwright" {
  guards = { allow_deletes = 0, allow_charges = 0 }
}

import {
  to = hostwright_site.shop
  id = "site-shop" # or a hostname: "shop.example.com"
}

resource "hostwright_site" "shop" {
  name = "shop"
  domains = {
    "shop.example.com"     = {}
    "www.shop.example.com" = {}
  }
  # What is not written is not managed. Nothing here says anything of edge rules, so they stay as they are.
  caching = {
    cache_expiration = 7200
    smart_cache      = true
  }

  lifecycle {
    # Ends the run with an error while somebody has to act outside; the next apply goes on.
    postcondition {
      condition     = self.status == "ready"
      error_message = "${self.name}: ${coalesce(self.waiting_for, "not ready")}"
    }
  }
}

data "hostwright_dns_records" "shop" {
  site = hostwright_site.shop.id
}

output "records" {
  value = { for r in data.hostwright_dns_records.shop.records : "${r.type} ${r.name}" => r.value }
}
