# A name is bought, a site gets it, and the name servers that the site was given go to the registration.
terraform {
  required_version = ">= 1.11"
  required_providers {
    hostwright = { source = "hostwright/hostwright" }
  }
}

provider "hostwright" {
  guards = { allow_charges = 1, max_spend = "20.00 EUR" }
  ledger = { file = "hostwright.ledger", create = true }
}

locals {
  acme = {
    first_name     = "Ada"
    last_name      = "Vries"
    organization   = "Acme"
    street_address = "Main Street 1"
    post_code      = "1000 AA"
    city           = "Amsterdam"
    country        = "NL"
    email          = "legal@acme.example"
    phone          = "+31.201234567"
  }
}

resource "hostwright_domain_registration" "acme" {
  name       = "acme-widgets.com"
  order      = { action = "register", max_price = { amount = "15.00", currency = "EUR" } }
  contacts   = { owner = local.acme }
  auto_renew = true
  # No `nameservers` here: they are a resource of their own below.
}

import {
  to = hostwright_site.shop
  id = "site-shop"
}

resource "hostwright_site" "shop" {
  name = "shop"
  domains = {
    "shop.example.com"     = {}
    "www.shop.example.com" = {}
    # `registration` makes Terraform buy the name first.
    "acme-widgets.com" = { attach = "dns", registration = hostwright_domain_registration.acme.name }
  }
}

# Else the site would need the registration, and the registration the site.
resource "hostwright_nameservers" "acme" {
  registration = hostwright_domain_registration.acme.name
  nameservers  = hostwright_site.shop.domains["acme-widgets.com"].nameservers
}

output "nameservers" {
  value = hostwright_nameservers.acme.nameservers
}
