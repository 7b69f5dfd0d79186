terraform {
  required_version = ">= 1.5"
  required_providers {
    restapi = {
      source  = "Mastercard/restapi"
      version = "~> 3.0"
    }
  }
}

provider "restapi" {
  uri                   = var.gateway_url
  id_attribute          = "id"
  create_returns_object = true

  # No Content-Type: the provider sets it for requests with a body, and others are rejected with it.
  headers = {
    Authorization = "Bearer ${var.access_token}"
    # Responses without the envelope, and a status for every error.
    Prefer = "plain-responses"
  }
}
