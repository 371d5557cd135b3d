# A site of the sandbox, imported and managed: `terraform apply`, and then `terraform plan` has nothing to do.
terraform {
  required_version = ">= 1.11"
  required_providers {
    hostwright = { source = "hostwright/hostwright" }
  }
}

# Account and address come from HOSTWRIGHT_ACCOUNT and HOSTWRIGHT_API_URL, the token from HOSTWRIGHT_TOKEN.
provider "hostwright" {}

import {
  to = hostwright_site.shop
  id = "site-shop"
}

resource "hostwright_site" "shop" {
  name = "shop"

  domains = {
    "shop.example.com"     = {}
    "www.shop.example.com" = {}
  }
  primary_domain = "shop.example.com"
  caching        = { cache_expiration = 7200 }

  # Turns the job red while something is still waited for.
  lifecycle {
    postcondition {
      condition     = self.status == "ready"
      error_message = "${self.name}: ${self.waiting_for}"
    }
  }
}

output "domains" {
  value = hostwright_site.shop.domains
}
